# Trustscope for others: see docs/deployment.md.
# Two steps: what builds the package does not stay in the image that runs.
# The base is named by its digest too, so that a build of tomorrow stands on the same files; docs/deployment.md says how
# to renew it, or to build on another: --build-arg BASE=...
ARG BASE=python:3.12.14-slim-trixie@sha256:78387bc3881b8273120a12ebe6c1ab22b018ccc2c9adf565ae1ac9b536e184ea
FROM ${BASE} AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /source
RUN python -m venv /opt/trustscope
COPY . .
# Every package is the very file that was tested: pip refuses one whose hash is not in the list. The package itself is
# built with the setuptools of that list, because a build of its own would fetch one without a hash.
RUN /opt/trustscope/bin/python -m pip install --require-hashes --requirement requirements-image.txt && \
    /opt/trustscope/bin/python -m pip install --no-deps --no-build-isolation .

FROM ${BASE}
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 OPENBLAS_NUM_THREADS=1 MPLCONFIGDIR=/tmp/matplotlib
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin trustscope
COPY --from=build /opt/trustscope /opt/trustscope
USER 10001
WORKDIR /tmp
EXPOSE 5006
STOPSIGNAL SIGTERM
# Asked inside the container, under a name that the app always answers to.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["/opt/trustscope/bin/python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:5006/health', timeout=4)"]
ENTRYPOINT ["/opt/trustscope/bin/trustscope", "serve", "--no-open", "--address", "0.0.0.0"]
