"""Enumerations of visualization, rendering and user interface."""

from mj._enums._base import MjEnum


class mjtCatBit(MjEnum):
    """Bits for categories of drawn geoms."""

    mjCAT_STATIC = 1 << 0
    mjCAT_DYNAMIC = 1 << 1
    mjCAT_DECOR = 1 << 2
    mjCAT_ALL = 7


class mjtMouse(MjEnum):
    """Actions of the mouse."""

    mjMOUSE_NONE = 0
    mjMOUSE_ROTATE_V = 1
    mjMOUSE_ROTATE_H = 2
    mjMOUSE_MOVE_V = 3
    mjMOUSE_MOVE_H = 4
    mjMOUSE_ZOOM = 5
    mjMOUSE_MOVE_V_REL = 6
    mjMOUSE_MOVE_H_REL = 7
    mjMOUSE_TURN_V = 8
    mjMOUSE_TURN_H = 9


class mjtPertBit(MjEnum):
    """Bits for active perturbations."""

    mjPERT_TRANSLATE = 1 << 0
    mjPERT_ROTATE = 1 << 1


class mjtCamera(MjEnum):
    """Types of abstract camera."""

    mjCAMERA_FREE = 0
    mjCAMERA_TRACKING = 1
    mjCAMERA_FIXED = 2
    mjCAMERA_USER = 3


class mjtLabel(MjEnum):
    """What is labeled in the picture."""

    mjLABEL_NONE = 0
    mjLABEL_BODY = 1
    mjLABEL_JOINT = 2
    mjLABEL_GEOM = 3
    mjLABEL_SITE = 4
    mjLABEL_CAMERA = 5
    mjLABEL_LIGHT = 6
    mjLABEL_TENDON = 7
    mjLABEL_ACTUATOR = 8
    mjLABEL_CONSTRAINT = 9
    mjLABEL_FLEX = 10
    mjLABEL_SKIN = 11
    mjLABEL_SELECTION = 12
    mjLABEL_SELPNT = 13
    mjLABEL_CONTACTPOINT = 14
    mjLABEL_CONTACTFORCE = 15
    mjLABEL_ISLAND = 16
    mjNLABEL = 17


class mjtFrame(MjEnum):
    """Whose coordinate frames are drawn."""

    mjFRAME_NONE = 0
    mjFRAME_BODY = 1
    mjFRAME_GEOM = 2
    mjFRAME_SITE = 3
    mjFRAME_CAMERA = 4
    mjFRAME_LIGHT = 5
    mjFRAME_CONTACT = 6
    mjFRAME_WORLD = 7
    mjNFRAME = 8


class mjtVisFlag(MjEnum):
    """Flags for the model elements that are drawn."""

    mjVIS_CONVEXHULL = 0
    mjVIS_TEXTURE = 1
    mjVIS_JOINT = 2
    mjVIS_CAMERA = 3
    mjVIS_ACTUATOR = 4
    mjVIS_ACTIVATION = 5
    mjVIS_LIGHT = 6
    mjVIS_TENDON = 7
    mjVIS_RANGEFINDER = 8
    mjVIS_CONSTRAINT = 9
    mjVIS_INERTIA = 10
    mjVIS_SCLINERTIA = 11
    mjVIS_PERTFORCE = 12
    mjVIS_PERTOBJ = 13
    mjVIS_CONTACTPOINT = 14
    mjVIS_ISLAND = 15
    mjVIS_CONTACTFORCE = 16
    mjVIS_CONTACTSPLIT = 17
    mjVIS_TRANSPARENT = 18
    mjVIS_AUTOCONNECT = 19
    mjVIS_COM = 20
    mjVIS_SELECT = 21
    mjVIS_STATIC = 22
    mjVIS_SKIN = 23
    mjVIS_FLEXVERT = 24
    mjVIS_FLEXEDGE = 25
    mjVIS_FLEXFACE = 26
    mjVIS_FLEXSKIN = 27
    mjVIS_BODYBVH = 28
    mjVIS_MESHBVH = 29
    mjVIS_SDFITER = 30
    mjNVISFLAG = 31


class mjtRndFlag(MjEnum):
    """Flags for effects of rendering."""

    mjRND_SHADOW = 0
    mjRND_WIREFRAME = 1
    mjRND_REFLECTION = 2
    mjRND_ADDITIVE = 3
    mjRND_SKYBOX = 4
    mjRND_FOG = 5
    mjRND_HAZE = 6
    mjRND_DEPTH = 7
    mjRND_SEGMENT = 8
    mjRND_IDCOLOR = 9
    mjRND_CULL_FACE = 10
    mjRND_POST_PROCESSING = 11
    mjNRNDFLAG = 12


class mjtStereo(MjEnum):
    """Types of stereo rendering."""

    mjSTEREO_NONE = 0
    mjSTEREO_QUADBUFFERED = 1
    mjSTEREO_SIDEBYSIDE = 2


class mjtGridPos(MjEnum):
    """Places of an overlay in the window."""

    mjGRID_TOPLEFT = 0
    mjGRID_TOPRIGHT = 1
    mjGRID_BOTTOMLEFT = 2
    mjGRID_BOTTOMRIGHT = 3
    mjGRID_TOP = 4
    mjGRID_BOTTOM = 5
    mjGRID_LEFT = 6
    mjGRID_RIGHT = 7


class mjtFramebuffer(MjEnum):
    """Framebuffers to render to."""

    mjFB_WINDOW = 0
    mjFB_OFFSCREEN = 1


class mjtDepthMap(MjEnum):
    """Mappings of depth to pixel values."""

    mjDEPTH_ZERONEAR = 0
    mjDEPTH_ZEROFAR = 1


class mjtFontScale(MjEnum):
    """Sizes of fonts in percent."""

    mjFONTSCALE_50 = 50
    mjFONTSCALE_100 = 100
    mjFONTSCALE_150 = 150
    mjFONTSCALE_200 = 200
    mjFONTSCALE_250 = 250
    mjFONTSCALE_300 = 300


class mjtFont(MjEnum):
    """Styles of fonts."""

    mjFONT_NORMAL = 0
    mjFONT_SHADOW = 1
    mjFONT_BIG = 2


class mjrPixelFormat(MjEnum):
    """Formats of pixels."""

    mjPIXEL_FORMAT_UNKNOWN = 0
    mjPIXEL_FORMAT_R8 = 1
    mjPIXEL_FORMAT_RGB8 = 2
    mjPIXEL_FORMAT_RGBA8 = 3
    mjPIXEL_FORMAT_R32F = 4
    mjPIXEL_FORMAT_DEPTH32F = 5
    mjPIXEL_FORMAT_KTX = 6


class mjrVertexAttributeUsage(MjEnum):
    """What a vertex attribute means."""

    mjVERTEX_ATTRIBUTE_USAGE_POSITION = 0
    mjVERTEX_ATTRIBUTE_USAGE_NORMAL = 1
    mjVERTEX_ATTRIBUTE_USAGE_TANGENTS = 2
    mjVERTEX_ATTRIBUTE_USAGE_UV = 3
    mjVERTEX_ATTRIBUTE_USAGE_COLOR = 4


class mjrVertexAttributeType(MjEnum):
    """Number types of a vertex attribute."""

    mjVERTEX_ATTRIBUTE_TYPE_FLOAT2 = 0
    mjVERTEX_ATTRIBUTE_TYPE_FLOAT3 = 1
    mjVERTEX_ATTRIBUTE_TYPE_FLOAT4 = 2
    mjVERTEX_ATTRIBUTE_TYPE_UBYTE4 = 3


class mjrIndexType(MjEnum):
    """Number types of vertex indices."""

    mjINDEX_TYPE_U16 = 0
    mjINDEX_TYPE_U32 = 1


class mjrMeshPrimitiveType(MjEnum):
    """Primitives that a mesh is made of."""

    mjMESH_PRIMITIVE_TYPE_TRIANGLES = 0
    mjMESH_PRIMITIVE_TYPE_LINES = 1


class mjtButton(MjEnum):
    """Buttons of the mouse."""

    mjBUTTON_NONE = 0
    mjBUTTON_LEFT = 1
    mjBUTTON_RIGHT = 2
    mjBUTTON_MIDDLE = 3


class mjtEvent(MjEnum):
    """Events of mouse, keyboard and window."""

    mjEVENT_NONE = 0
    mjEVENT_MOVE = 1
    mjEVENT_PRESS = 2
    mjEVENT_RELEASE = 3
    mjEVENT_SCROLL = 4
    mjEVENT_KEY = 5
    mjEVENT_RESIZE = 6
    mjEVENT_REDRAW = 7
    mjEVENT_FILESDROP = 8


class mjtItem(MjEnum):
    """Types of item in the user interface."""

    mjITEM_END = -2
    mjITEM_SECTION = -1
    mjITEM_SEPARATOR = 0
    mjITEM_STATIC = 1
    mjITEM_BUTTON = 2
    mjITEM_CHECKINT = 3
    mjITEM_CHECKBYTE = 4
    mjITEM_RADIO = 5
    mjITEM_RADIOLINE = 6
    mjITEM_SELECT = 7
    mjITEM_SLIDERINT = 8
    mjITEM_SLIDERNUM = 9
    mjITEM_EDITINT = 10
    mjITEM_EDITNUM = 11
    mjITEM_EDITFLOAT = 12
    mjITEM_EDITTXT = 13
    mjNITEM = 14


class mjtSection(MjEnum):
    """States of a section in the user interface."""

    mjSECT_CLOSED = 0
    mjSECT_OPEN = 1
    mjSECT_FIXED = 2
