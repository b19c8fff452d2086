"""`python -m trustscope.app.serving` is one process of several, which the supervisor starts."""

from trustscope.app.serving import memory

if __name__ == "__main__":
    with memory.importing():
        from trustscope.app.serving.worker import main
    main()
