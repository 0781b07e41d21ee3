"""Enumerations of model specifications and of the compiler."""

from mj._enums._base import MjEnum


class mjtGeomInertia(MjEnum):
    """Whether the mass of a geom fills it or lies on its surface."""

    mjINERTIA_VOLUME = 0
    mjINERTIA_SHELL = 1


class mjtMeshInertia(MjEnum):
    """How the inertia of a mesh is computed."""

    mjMESH_INERTIA_CONVEX = 0
    mjMESH_INERTIA_EXACT = 1
    mjMESH_INERTIA_LEGACY = 2
    mjMESH_INERTIA_SHELL = 3


class mjtMeshBuiltin(MjEnum):
    """Generators of meshes."""

    mjMESH_BUILTIN_NONE = 0
    mjMESH_BUILTIN_SPHERE = 1
    mjMESH_BUILTIN_HEMISPHERE = 2
    mjMESH_BUILTIN_CONE = 3
    mjMESH_BUILTIN_SUPERSPHERE = 4
    mjMESH_BUILTIN_SUPERTORUS = 5
    mjMESH_BUILTIN_WEDGE = 6
    mjMESH_BUILTIN_PLATE = 7
    mjMESH_BUILTIN_GRID = 8
    mjMESH_BUILTIN_BOX = 9
    mjMESH_BUILTIN_CYLINDER = 10
    mjMESH_BUILTIN_ELLIPSOID = 11
    mjMESH_BUILTIN_SQUARE = 12
    mjMESH_BUILTIN_DISC = 13


class mjtFlexSection(MjEnum):
    """Cross-sections of a one-dimensional flex."""

    mjFLEXSECTION_CIRCLE = 0
    mjFLEXSECTION_BOX = 1


class mjtBuiltin(MjEnum):
    """Generators of textures."""

    mjBUILTIN_NONE = 0
    mjBUILTIN_GRADIENT = 1
    mjBUILTIN_CHECKER = 2
    mjBUILTIN_FLAT = 3


class mjtMark(MjEnum):
    """Marks drawn on generated textures."""

    mjMARK_NONE = 0
    mjMARK_EDGE = 1
    mjMARK_CROSS = 2
    mjMARK_RANDOM = 3


class mjtLimited(MjEnum):
    """Whether a limit applies."""

    mjLIMITED_FALSE = 0
    mjLIMITED_TRUE = 1
    mjLIMITED_AUTO = 2


class mjtAlignFree(MjEnum):
    """Whether free joints are aligned with the inertial frame."""

    mjALIGNFREE_FALSE = 0
    mjALIGNFREE_TRUE = 1
    mjALIGNFREE_AUTO = 2


class mjtPassthrough(MjEnum):
    """Bits for the assets that the compiler leaves in their files."""

    mjPASSTHROUGH_NONE = 0
    mjPASSTHROUGH_TEXTURES = 1 << 0


class mjtEmbed(MjEnum):
    """Whether the content of an asset is stored in the model."""

    mjEMBED_FALSE = 0
    mjEMBED_TRUE = 1
    mjEMBED_AUTO = 2


class mjtInertiaFromGeom(MjEnum):
    """Whether inertias of bodies come from their geoms."""

    mjINERTIAFROMGEOM_FALSE = 0
    mjINERTIAFROMGEOM_TRUE = 1
    mjINERTIAFROMGEOM_AUTO = 2


class mjtOrientation(MjEnum):
    """Ways to specify an orientation."""

    mjORIENTATION_QUAT = 0
    mjORIENTATION_AXISANGLE = 1
    mjORIENTATION_XYAXES = 2
    mjORIENTATION_ZAXIS = 3
    mjORIENTATION_EULER = 4


class mjtConflict(MjEnum):
    """What to do with a conflict when a spec is attached."""

    mjCONFLICT_WARNING = 0
    mjCONFLICT_MERGE = 1
    mjCONFLICT_ERROR = 2


class mjtScaling(MjEnum):
    """What the scale of a frame applies to."""

    mjSCALING_SIMILAR = 0
    mjSCALING_GEOMETRY = 1


class mjtActuator(MjEnum):
    """Elements that make an actuator."""

    mjACTUATOR_GENERAL = 0
    mjACTUATOR_MOTOR = 1
    mjACTUATOR_POSITION = 2
    mjACTUATOR_VELOCITY = 3
    mjACTUATOR_INTVELOCITY = 4
    mjACTUATOR_DAMPER = 5
    mjACTUATOR_CYLINDER = 6
    mjACTUATOR_MUSCLE = 7
    mjACTUATOR_ADHESION = 8
    mjACTUATOR_PID = 9
    mjACTUATOR_ORIENTATION = 10
    mjACTUATOR_DCMOTOR = 11


class mjtCTimer(MjEnum):
    """Timers of the compiler."""

    mjCTIMER_TOTAL = 0
    mjCTIMER_ASSETS = 1
    mjCTIMER_TEXTURE = 2
    mjCTIMER_MESH_LOAD = 3
    mjCTIMER_MESH_HULL = 4
    mjCTIMER_MESH_POLYGON = 5
    mjCTIMER_MESH_INERTIA = 6
    mjCTIMER_MESH_BVH = 7
    mjCTIMER_MESH_OCTREE = 8
    mjNCTIMER = 9
