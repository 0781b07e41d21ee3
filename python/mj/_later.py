"""Functions and classes of the reference that this package does not have yet: they raise by name."""

from __future__ import annotations

from typing import Any, NoReturn

NAMES = {
    "drawing": (
        "mjr_addAux mjr_blitAux mjr_blitBuffer mjr_changeFont mjr_defaultRendererInfo mjr_drawPixels mjr_figure "
        "mjr_findRect mjr_finish mjr_getError mjr_getRendererInfo mjr_label mjr_maxViewport mjr_overlay mjr_readPixels "
        "mjr_rectangle mjr_render mjr_resizeOffscreen mjr_restoreBuffer mjr_setAux mjr_setBuffer mjr_text "
        "mjr_uploadHField mjr_uploadMesh mjr_uploadTexture mjv_addGeoms mjv_alignToCamera mjv_applyPerturbForce "
        "mjv_applyPerturbPose mjv_averageCamera mjv_camera2GLCamera mjv_cameraFrame mjv_cameraFrustum mjv_cameraInModel "
        "mjv_cameraInRoom mjv_connector mjv_frustumHeight mjv_initGeom mjv_initPerturb "
        "mjv_makeLights mjv_model2room mjv_moveCamera mjv_moveModel mjv_movePerturb mjv_room2model mjv_select "
        "mjv_updateCamera mjv_updateScene mjv_updateSkin mj_printScene mj_printFormattedScene"
    ),
    "rays at flexes": "mj_rayFlex",
    "libraries of plugins": "mj_loadPluginLibrary mj_loadAllPluginLibraries",
}


def refusing(name: str, needs: str) -> Any:
    """Return a function of that name that raises ``NotImplementedError``."""

    def function(*args: Any, **kwargs: Any) -> NoReturn:
        raise NotImplementedError(f"{name} needs {needs}, which this package does not have yet")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Raises: {needs} are not there yet."
    return function


class Refused:
    """A class whose objects can't be made yet: they need drawing."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        refusing(type(self).__name__, "drawing")()


class Renderer(Refused):
    """Draws a model's scenes to images."""


class GLContext(Refused):
    """A context for drawing off the screen."""


class MjrContext(Refused):
    """Resources of a context for drawing."""


FUNCTIONS = {name: refusing(name, needs) for needs, names in NAMES.items() for name in names.split()}
