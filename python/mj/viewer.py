"""Views of simulations, by MuJoCo's names: pages that a browser shows, on any system and without a window of the process's own.

``python -m mj.viewer MODEL`` shows the model of a file.
"""

from ._viewing import Handle, launch, launch_from_path, launch_passive, view

__all__ = ["Handle", "launch", "launch_from_path", "launch_passive", "view"]


def _main() -> None:
    import argparse

    parser = argparse.ArgumentParser(prog="mj.viewer", description="Shows the model of a file in a browser.")
    parser.add_argument("model", nargs="?", help="model file")
    parser.add_argument("--mjcf", metavar="MODEL", help="model file, as MuJoCo's viewer takes it")
    arguments = parser.parse_args()
    path = arguments.model or arguments.mjcf
    if path is None:
        parser.error("name a model file")
    try:
        launch_from_path(path)
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    _main()
