"""Enumerations of options, state, and what a simulation reports."""

from mj._enums._base import MjEnum


class mjtDisableBit(MjEnum):
    """Bits of ``opt.disableflags`` that turn default features off."""

    mjDSBL_CONSTRAINT = 1 << 0
    mjDSBL_EQUALITY = 1 << 1
    mjDSBL_FRICTIONLOSS = 1 << 2
    mjDSBL_LIMIT = 1 << 3
    mjDSBL_CONTACT = 1 << 4
    mjDSBL_SPRING = 1 << 5
    mjDSBL_DAMPER = 1 << 6
    mjDSBL_GRAVITY = 1 << 7
    mjDSBL_CLAMPCTRL = 1 << 8
    mjDSBL_WARMSTART = 1 << 9
    mjDSBL_FILTERPARENT = 1 << 10
    mjDSBL_ACTUATION = 1 << 11
    mjDSBL_REFSAFE = 1 << 12
    mjDSBL_SENSOR = 1 << 13
    mjDSBL_MIDPHASE = 1 << 14
    mjDSBL_EULERDAMP = 1 << 15
    mjDSBL_AUTORESET = 1 << 16
    mjDSBL_NATIVECCD = 1 << 17
    mjDSBL_ISLAND = 1 << 18
    mjDSBL_MULTICCD = 1 << 19
    mjNDISABLE = 20


class mjtEnableBit(MjEnum):
    """Bits of ``opt.enableflags`` that turn optional features on."""

    mjENBL_OVERRIDE = 1 << 0
    mjENBL_ENERGY = 1 << 1
    mjENBL_FWDINV = 1 << 2
    mjENBL_INVDISCRETE = 1 << 3
    mjENBL_SLEEP = 1 << 4
    mjENBL_DIAGEXACT = 1 << 5
    mjENBL_IPC = 1 << 6
    mjENBL_SPECULATIVE = 1 << 7
    mjNENABLE = 8  # alias of mjENBL_INVDISCRETE


class mjtIntegrator(MjEnum):
    """Numerical integrators."""

    mjINT_EULER = 0
    mjINT_RK4 = 1
    mjINT_IMPLICIT = 2
    mjINT_IMPLICITFAST = 3
    mjINT_DISCRETE = 4


class mjtCone(MjEnum):
    """Types of friction cone."""

    mjCONE_PYRAMIDAL = 0
    mjCONE_ELLIPTIC = 1


class mjtJacobian(MjEnum):
    """Storage of the constraint Jacobian."""

    mjJAC_DENSE = 0
    mjJAC_SPARSE = 1
    mjJAC_AUTO = 2


class mjtSolver(MjEnum):
    """Constraint solvers."""

    mjSOL_PGS = 0
    mjSOL_CG = 1
    mjSOL_NEWTON = 2


class mjtStage(MjEnum):
    """Stages of the pipeline, in order."""

    mjSTAGE_NONE = 0
    mjSTAGE_POS = 1
    mjSTAGE_VEL = 2
    mjSTAGE_ACC = 3


class mjtState(MjEnum):
    """Bits that select parts of the state, and their common unions."""

    mjSTATE_TIME = 1 << 0
    mjSTATE_QPOS = 1 << 1
    mjSTATE_QVEL = 1 << 2
    mjSTATE_ACT = 1 << 3
    mjSTATE_HISTORY = 1 << 4
    mjSTATE_WARMSTART = 1 << 5
    mjSTATE_CTRL = 1 << 6
    mjSTATE_QFRC_APPLIED = 1 << 7
    mjSTATE_XFRC_APPLIED = 1 << 8
    mjSTATE_EQ_ACTIVE = 1 << 9
    mjSTATE_MOCAP_POS = 1 << 10
    mjSTATE_MOCAP_QUAT = 1 << 11
    mjSTATE_USERDATA = 1 << 12
    mjSTATE_PLUGIN = 1 << 13
    mjSTATE_PLASTIC = 1 << 14
    mjNSTATE = 15
    mjSTATE_PHYSICS = (
        mjSTATE_QPOS | mjSTATE_QVEL | mjSTATE_ACT | mjSTATE_HISTORY | mjSTATE_PLASTIC
    )
    mjSTATE_FULLPHYSICS = mjSTATE_TIME | mjSTATE_PHYSICS | mjSTATE_PLUGIN
    mjSTATE_USER = (
        mjSTATE_CTRL
        | mjSTATE_QFRC_APPLIED
        | mjSTATE_XFRC_APPLIED
        | mjSTATE_EQ_ACTIVE
        | mjSTATE_MOCAP_POS
        | mjSTATE_MOCAP_QUAT
        | mjSTATE_USERDATA
    )
    mjSTATE_INTEGRATION = mjSTATE_FULLPHYSICS | mjSTATE_USER | mjSTATE_WARMSTART


class mjtConstraint(MjEnum):
    """Types of constraint row."""

    mjCNSTR_EQUALITY = 0
    mjCNSTR_FRICTION_DOF = 1
    mjCNSTR_FRICTION_TENDON = 2
    mjCNSTR_LIMIT_JOINT = 3
    mjCNSTR_LIMIT_TENDON = 4
    mjCNSTR_CONTACT_FRICTIONLESS = 5
    mjCNSTR_CONTACT_PYRAMIDAL = 6
    mjCNSTR_CONTACT_ELLIPTIC = 7


class mjtConstraintState(MjEnum):
    """States of a constraint row."""

    mjCNSTRSTATE_SATISFIED = 0
    mjCNSTRSTATE_QUADRATIC = 1
    mjCNSTRSTATE_LINEARNEG = 2
    mjCNSTRSTATE_LINEARPOS = 3
    mjCNSTRSTATE_CONE = 4


class mjtWarning(MjEnum):
    """Warnings that a simulation counts."""

    mjWARN_INERTIA = 0
    mjWARN_CONTACTFULL = 1
    mjWARN_CNSTRFULL = 2
    mjWARN_BADQPOS = 3
    mjWARN_BADQVEL = 4
    mjWARN_BADQACC = 5
    mjWARN_BADCTRL = 6
    mjNWARNING = 7


class mjtTimer(MjEnum):
    """Timers of the simulation."""

    mjTIMER_STEP = 0
    mjTIMER_FORWARD = 1
    mjTIMER_INVERSE = 2
    mjTIMER_POSITION = 3
    mjTIMER_VELOCITY = 4
    mjTIMER_ACTUATION = 5
    mjTIMER_CONSTRAINT = 6
    mjTIMER_ADVANCE = 7
    mjTIMER_POS_KINEMATICS = 8
    mjTIMER_POS_INERTIA = 9
    mjTIMER_POS_COLLISION = 10
    mjTIMER_POS_MAKE = 11
    mjTIMER_POS_PROJECT = 12
    mjTIMER_COL_BROAD = 13
    mjTIMER_COL_NARROW = 14
    mjNTIMER = 15


class mjtSleepState(MjEnum):
    """Sleep states of an object."""

    mjS_STATIC = -1
    mjS_ASLEEP = 0
    mjS_AWAKE = 1


class mjtSleepPolicy(MjEnum):
    """Sleep policies of a kinematic tree."""

    mjSLEEP_AUTO = 0
    mjSLEEP_AUTO_NEVER = 1
    mjSLEEP_AUTO_ALLOWED = 2
    mjSLEEP_NEVER = 3
    mjSLEEP_ALLOWED = 4
    mjSLEEP_INIT = 5


class mjtLRMode(MjEnum):
    """Which actuators have their length range computed."""

    mjLRMODE_NONE = 0
    mjLRMODE_MUSCLE = 1
    mjLRMODE_MUSCLEUSER = 2
    mjLRMODE_ALL = 3


class mjtLogLevel(MjEnum):
    """Severities of log messages."""

    mjLOG_DEBUG = 0
    mjLOG_INFO = 1
    mjLOG_WARNING = 2
    mjLOG_ERROR = 3


class mjtLogTopic(MjEnum):
    """Topics of log messages."""

    mjTOPIC_NONE = 0
    mjTOPIC_TIME_STP = 1
    mjTOPIC_TIME_CMP = 2
    mjTOPIC_SLEEP = 3
    mjNTOPIC = 3  # alias of mjTOPIC_SLEEP


class mjtPluginCapabilityBit(MjEnum):
    """Bits for what a plugin can do."""

    mjPLUGIN_ACTUATOR = 1 << 0
    mjPLUGIN_SENSOR = 1 << 1
    mjPLUGIN_PASSIVE = 1 << 2
    mjPLUGIN_SDF = 1 << 3
