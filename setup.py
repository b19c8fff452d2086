"""The list of packages: the folders at the top of the repository are imported as parts of `trustscope`."""

from setuptools import find_packages, setup

ROOMS = ("app", "datasets", "engine", "handouts", "lessons", "plots", "release", "scenarios", "study", "widgets")
FOLDERS = [name for room in ROOMS for name in (room, *(f"{room}.{part}" for part in find_packages(room)))]

setup(
    packages=["trustscope", *(f"trustscope.{folder}" for folder in FOLDERS)],
    package_dir={"trustscope": "trustscope", **{f"trustscope.{room}": room for room in ROOMS}},
)
