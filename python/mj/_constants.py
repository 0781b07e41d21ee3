"""The constants of the interface, with the names and values of MuJoCo 4.0.0.

A limit says how large something may be in MuJoCo's fixed-size structures; those
that this package does not need are here because programs read them.
"""

import math
import os

import numpy as np

from mj._version import MUJOCO_VERSION_HEADER

__all__ = [
    "HEADERS_DIR",
    "MJTNUM_BYTES",
    "MJTNUM_DTYPE",
    "PLUGINS_DIR",
    "PLUGIN_HANDLES",
    "mjDISABLESTRING",
    "mjENABLESTRING",
    "mjFRAMESTRING",
    "mjLABELSTRING",
    "mjMAXCONPAIR",
    "mjMAXFLEXNODES",
    "mjMAXIMP",
    "mjMAXLIGHT",
    "mjMAXLINE",
    "mjMAXLINEPNT",
    "mjMAXOVERLAY",
    "mjMAXPLANEGRID",
    "mjMAXTREEDEPTH",
    "mjMAXVAL",
    "mjMINAWAKE",
    "mjMINIMP",
    "mjMINMU",
    "mjMINVAL",
    "mjNBIAS",
    "mjNDYN",
    "mjNEQDATA",
    "mjNFLUID",
    "mjNGAIN",
    "mjNGROUP",
    "mjNIMP",
    "mjNISLAND",
    "mjNPOLY",
    "mjNREF",
    "mjNSENS",
    "mjNSOLVER",
    "mjPI",
    "mjRNDSTRING",
    "mjSC_IN",
    "mjSC_INOUT",
    "mjSC_OUT",
    "mjTIMERSTRING",
    "mjVERSION_HEADER",
    "mjVISSTRING",
]

# Numbers.
MJTNUM_BYTES = 8
MJTNUM_DTYPE = np.float64
mjPI = math.pi
mjMAXVAL = 1e10
mjMINVAL = 1e-15
mjMINMU = 1e-5
mjMINIMP = 0.0001
mjMAXIMP = 0.9999

mjVERSION_HEADER = MUJOCO_VERSION_HEADER

# Sizes of parameter arrays.
mjNEQDATA = 12
mjNDYN = 10
mjNGAIN = 10
mjNBIAS = 10
mjNFLUID = 12
mjNREF = 2
mjNIMP = 5
mjNSENS = 3
mjNPOLY = 2
mjNGROUP = 6

# Limits and sizes of the simulation.
mjMAXCONPAIR = 50
mjMAXTREEDEPTH = 50
mjMAXFLEXNODES = 27
mjMINAWAKE = 10
mjNSOLVER = 200
mjNISLAND = 20

# Limits of visualization.
mjMAXLIGHT = 100
mjMAXOVERLAY = 500
mjMAXLINE = 100
mjMAXLINEPNT = 1001
mjMAXPLANEGRID = 200

# Bits that say whether a function reads (in) or writes (out) a field.
mjSC_IN = 1
mjSC_OUT = 2
mjSC_INOUT = 3

# Names of the members of an enumeration, in order of value or of bit.
# fmt: off
mjDISABLESTRING: tuple[str, ...] = (
    "Constraint", "Equality", "Frictionloss", "Limit", "Contact", "Spring",
    "Damper", "Gravity", "Clampctrl", "Warmstart", "Filterparent", "Actuation",
    "Refsafe", "Sensor", "Midphase", "Eulerdamp", "AutoReset", "NativeCCD",
    "Island", "MultiCCD",
)
mjENABLESTRING: tuple[str, ...] = (
    "Override", "Energy", "Fwdinv", "InvDiscrete", "Sleep", "DiagExact", "IPC",
    "Speculative",
)
mjTIMERSTRING: tuple[str, ...] = (
    "step", "forward", "inverse", "position", "velocity", "actuation", "constraint",
    "advance", "pos_kinematics", "pos_inertia", "pos_collision", "pos_make",
    "pos_project", "col_broadphase", "col_narrowphase",
)
mjLABELSTRING: tuple[str, ...] = (
    "None", "Body", "Joint", "Geom", "Site", "Camera", "Light", "Tendon",
    "Actuator", "Constraint", "Flex", "Skin", "Selection", "SelPoint", "Contact",
    "ContactForce", "Island",
)
mjFRAMESTRING: tuple[str, ...] = (
    "None", "Body", "Geom", "Site", "Camera", "Light", "Contact", "World",
)
# fmt: on

# Name, default ("0" or "1") and key of each flag of visualization and rendering.
mjVISSTRING: tuple[tuple[str, str, str], ...] = (
    ("Convex Hull", "0", "H"),
    ("Texture", "1", "X"),
    ("Joint", "0", "J"),
    ("Camera", "0", "Q"),
    ("Actuator", "0", "U"),
    ("Activation", "0", ","),
    ("Light", "0", "Z"),
    ("Tendon", "1", "V"),
    ("Range Finder", "1", "Y"),
    ("Equality", "0", "E"),
    ("Inertia", "0", "I"),
    ("Scale Inertia", "0", "'"),
    ("Perturb Force", "0", "B"),
    ("Perturb Object", "1", "O"),
    ("Contact Point", "0", "C"),
    ("Island", "0", "N"),
    ("Contact Force", "0", "F"),
    ("Contact Split", "0", "P"),
    ("Transparent", "0", "T"),
    ("Auto Connect", "0", "A"),
    ("Center of Mass", "0", "M"),
    ("Select Point", "0", ""),
    ("Static Body", "1", "D"),
    ("Skin", "1", ";"),
    ("Flex Vert", "0", ""),
    ("Flex Edge", "1", ""),
    ("Flex Face", "0", ""),
    ("Flex Skin", "1", ""),
    ("Body Tree", "0", "`"),
    ("Mesh Tree", "0", "\\"),
    ("SDF iters", "0", ""),
)
mjRNDSTRING: tuple[tuple[str, str, str], ...] = (
    ("Shadow", "1", "S"),
    ("Wireframe", "0", "W"),
    ("Reflection", "1", "R"),
    ("Additive", "0", "L"),
    ("Skybox", "1", "K"),
    ("Fog", "0", "G"),
    ("Haze", "1", "/"),
    ("Depth", "0", ""),
    ("Segment", "0", ","),
    ("Id Color", "0", ""),
    ("Cull Face", "1", ""),
    ("Post Processing", "1", ""),
)

# Directories. No headers come with this package, since it has no C interface;
# programs may look for plugins in ``PLUGINS_DIR``, and none are there.
_HERE = os.path.dirname(os.path.abspath(__file__))
HEADERS_DIR = os.path.join(_HERE, "include", "mujoco")
PLUGINS_DIR = os.path.join(_HERE, "plugin")
PLUGIN_HANDLES: list[object] = []
