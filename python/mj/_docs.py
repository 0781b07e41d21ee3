"""Shapes, units and meanings of the fields of models and data.

First lines come from the engine's declarations; shapes are written in the names of sizes.
"""

from __future__ import annotations

import re
from typing import Any

from . import _core

# Meaning of arrays of models that no table of the engine declares.
_LOOSE = {
    "qpos0": "Position in the reference configuration.",
    "qpos_spring": "Position at which springs rest.",
    "numeric_data": "Values of all custom numbers.",
    "text_data": "Texts, each ended by a zero byte.",
    "tex_data": "Pixels of all textures.",
    "mesh_vert": "Vertices of all meshes, in the frames of the meshes.",
    "mesh_face": "Vertices of each triangle, counted within the mesh.",
    "mesh_normal": "Normals of all meshes.",
    "mesh_texcoord": "Texture coordinates of all meshes.",
    "mesh_facenormal": "Normals of each triangle's corners, counted within the mesh.",
    "mesh_facetexcoord": "Texture coordinates of each triangle's corners, counted within the mesh.",
    "mesh_graph": "Graphs of the convex hulls.",
    "mesh_polynormal": "Normal of each face of a convex hull.",
    "mesh_polyvertadr": "First corner of each face of a convex hull.",
    "mesh_polyvertnum": "Number of corners of each face of a convex hull.",
    "mesh_polyvert": "Vertices at the corners of the faces of convex hulls.",
    "mesh_polymapadr": "First face at each vertex.",
    "mesh_polymapnum": "Number of faces at each vertex.",
    "mesh_polymap": "Faces at the vertices.",
    "hfield_data": "Heights of all height fields, 0 to 1, row after row.",
    "skin_vert": "Vertices of all skins.",
    "skin_texcoord": "Texture coordinates of all skins.",
    "skin_face": "Vertices of each triangle of a skin.",
    "skin_bonevertid": "Vertices that each bone moves.",
    "skin_bonevertweight": "Weights of the vertices that each bone moves.",
    "key_time": "Simulation time of each keyframe.",
    "key_qpos": "Position of each keyframe.",
    "key_qvel": "Velocity of each keyframe.",
    "key_act": "Activation of each keyframe.",
    "key_mpos": "Positions of mocap bodies of each keyframe, one after the other.",
    "key_mquat": "Orientations of mocap bodies of each keyframe, one after the other.",
    "key_ctrl": "Control of each keyframe.",
    "key_plastic": "Plastic state of each keyframe.",
    "M_rownnz": "Number of entries in each row of the joint-space inertia.",
    "M_rowadr": "First entry of each row of the joint-space inertia.",
    "M_colind": "Column of each entry of the joint-space inertia.",
    "D_rownnz": "Number of entries in each row of the derivative of smooth forces by velocity.",
    "D_rowadr": "First entry of each row of the derivative of smooth forces by velocity.",
    "D_colind": "Column of each entry of the derivative of smooth forces by velocity.",
    "D_diag": "Place of the diagonal in each row of the derivative of smooth forces by velocity.",
    "B_rownnz": "Number of dofs that move each body or that it carries.",
    "B_rowadr": "First entry of each body in `B_colind`.",
    "B_colind": "Dofs that move each body or that it carries.",
    "mapM2M": "Entry of `M` for each entry of `qM`.",
    "mapM2D": "Entry of `M` for each entry of the derivative of smooth forces by velocity.",
    "mapD2M": "Entry of the derivative of smooth forces by velocity for each entry of `M`.",
    "ten_J_rownnz": "Number of entries in each row of the Jacobian of tendons.",
    "ten_J_rowadr": "First entry of each row of the Jacobian of tendons.",
    "ten_J_colind": "Dof of each entry of the Jacobian of tendons.",
    "dof_Madr": "First entry of each dof in `qM`.",
    "tex_adr": "First byte of each texture.",
    "body_bvhadr": "First node of the tree of boxes of each body.",
    "body_bvhnum": "Number of nodes of the tree of boxes of each body.",
    "mesh_bvhadr": "First node of the tree of boxes of each mesh.",
    "mesh_bvhnum": "Number of nodes of the tree of boxes of each mesh.",
    "bvh_depth": "Depth of each node of the trees of boxes.",
    "bvh_child": "Children of each node of the trees of boxes; −1: none.",
    "bvh_nodeid": "Geom or element of each leaf of the trees of boxes; −1 of other nodes.",
    "bvh_aabb": "Box of each node of the trees: centre and half sizes.",
    "oct_depth": "Depth of each node of the octrees.",
    "oct_child": "Children of each node of the octrees; −1: none.",
    "oct_aabb": "Box of each node of the octrees: centre and half sizes.",
    "oct_coeff": "Signed distances at the corners of each node of the octrees.",
    "plugin": "Type of each instance of a plugin.",
    "plugin_attr": "Settings of all plugins, each ended by a zero byte.",
    "flex_nodebodyid": "Body of each node of flexes.",
    "flex_vertbodyid": "Body of each vertex of flexes; −1 in interpolated ones.",
    "flex_vertcell": "Cell of the grid that each vertex of flexes is in; −1: none.",
    "flex_edge": "Vertices at the ends of each edge of flexes.",
    "flex_edgeflap": "Vertices across each edge in its triangles; −1: none.",
    "flex_elem": "Vertices of the elements of flexes.",
    "flex_elemtexcoord": "Texture coordinates of the vertices of elements.",
    "flex_elemedge": "Edges of the elements of flexes.",
    "flex_elemlayer": "Layer of each element of flexes, from outside.",
    "flex_matid": "Material of each element of flexes; −1: none.",
    "flex_shell": "Vertices of the fragments of the shells of flexes.",
    "flex_vert": "Vertices of flexes in their bodies.",
    "flex_vert0": "Vertices of flexes at qpos0 in the box around the flex, which is 0 to 1 along each axis.",
    "flex_node": "Nodes of flexes in their bodies.",
    "flex_node0": "Nodes of flexes at qpos0 along the axes of the grid.",
    "flex_texcoord": "Texture coordinates of all flexes.",
    "flex_stiffness": "Stiffness of the elements of flexes.",
    "flex_bending": "Bending stiffness of the edges of flexes.",
    "flexedge_J_rownnz": "Number of entries in each row of `flexedge_J`.",
    "flexedge_J_rowadr": "First entry of each row of `flexedge_J`.",
    "flexedge_J_colind": "Dof of each entry of `flexedge_J`.",
    "names_map": "Hashes of names: −1, since none are kept.",
}
_USER = "body jnt geom site cam tendon actuator sensor".split()
_LOOSE |= {f"{name}_user": "User data." for name in _USER}

_NAMED = "body jnt geom site cam light flex mesh skin hfield tex mat pair exclude eq tendon actuator sensor numeric text tuple key plugin"
_LOOSE |= {f"name_{name}adr": "First byte of each name in `names`." for name in _NAMED.split()}

# Sizes that count something else than their name says, and the others that have a name of their own.
_SIZES = {
    "nq": "Number of coordinates of position.",
    "nv": "Number of degrees of freedom.",
    "nu": "Number of controls.",
    "na": "Number of activations.",
    "nout": "Number of force outputs of actuators.",
    "nbody": "Number of bodies, with the world.",
    "njnt": "Number of joints.",
    "ntree": "Number of kinematic trees.",
    "ncam": "Number of cameras.",
    "ntex": "Number of textures.",
    "nmat": "Number of materials.",
    "neq": "Number of equality constraints.",
    "nkey": "Number of keyframes.",
    "nmocap": "Number of mocap bodies.",
    "nsensordata": "Number of readings of sensors.",
    "nuserdata": "Number of user data.",
    "nplastic": "Size of the plastic state.",
    "nhistory": "Size of the history of delays.",
    "nM": "Number of entries of the joint-space inertia in its older form.",
    "nC": "Number of entries of the joint-space inertia.",
    "nD": "Number of entries of the derivative of smooth forces by velocity.",
    "nB": "Number of entries of the matrix of bodies and dofs.",
    "nJten": "Number of entries of the Jacobian of tendons.",
    "nJfe": "Number of entries of the Jacobian of the edges of flexes.",
    "nflexnode": "Number of nodes of flexes.",
    "nflexvert": "Number of vertices of flexes.",
    "nflexedge": "Number of edges of flexes.",
    "nflexelem": "Number of elements of flexes.",
    "npluginattr": "Number of bytes of the settings of plugins.",
    "npluginstate": "Size of the state of plugins.",
    "nJmom": "Number of entries of the moment arms of actuators.",
}

# First size of a field, by the start of its name.
_PREFIXES = {
    "body": "nbody", "jnt": "njnt", "dof": "nv", "tree": "ntree", "geom": "ngeom", "site": "nsite", "cam": "ncam",
    "light": "nlight", "mesh": "nmesh", "hfield": "nhfield", "skin": "nskin", "tex": "ntex", "mat": "nmat",
    "pair": "npair", "exclude": "nexclude", "eq": "neq", "tendon": "ntendon", "wrap": "nwrap", "actuator": "nactuator",
    "sensor": "nsensor", "numeric": "nnumeric", "text": "ntext", "tuple": "ntuple", "key": "nkey", "mocap": "nmocap",
    "ten": "ntendon", "D": "nv", "M": "nv", "B": "nbody", "flex": "nflex", "plugin": "nplugin", "names": "nnames_map",
}  # fmt: skip

# First size of the fields that differ from others of their prefix, or have none.
_ROWS = {
    "nq": "qpos0 qpos_spring qpos",
    "nv": (
        "qvel qacc qHDiagInv qacc_warmstart qfrc_applied qLDiagInv qfrc_bias qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid "
        "qfrc_adhesion qfrc_passive qfrc_actuator qfrc_smooth qacc_smooth qfrc_constraint qfrc_inverse cdof cdof_dot "
        "dof_awake_ind"
    ),
    "na": "act act_dot",
    "nu": "ctrl actuator_ctrllimited actuator_ctrlrange",
    "nout": "actuator_gear actuator_acc0 actuator_length0 actuator_lengthrange actuator_length actuator_velocity actuator_force moment_rownnz moment_rowadr",
    "nbody": (
        "xfrc_applied xpos xquat xmat xipos xiquat ximat subtree_com cinert crb cvel subtree_linvel subtree_angmom cacc "
        "cfrc_int cfrc_ext parent_awake_ind"
    ),
    "njnt": "xanchor xaxis",

    "nD": "D_colind mapM2D qDeriv qLU",
    "nC": "M qLD qH M_colind mapM2M mapD2M",
    "nB": "B_colind",
    "nJten": "ten_J ten_J_colind",
    "nJmom": "actuator_moment moment_colind",
    "nhistory": "history",
    "nplastic": "plastic",
    "nuserdata": "userdata",
    "nsensordata": "sensordata",
    "nmeshvert": "mesh_vert mesh_polymapadr mesh_polymapnum",
    "nmeshnormal": "mesh_normal",
    "nmeshtexcoord": "mesh_texcoord",
    "nmeshface": "mesh_face mesh_facenormal mesh_facetexcoord",
    "nmeshgraph": "mesh_graph",
    "nmeshpoly": "mesh_polynormal mesh_polyvertadr mesh_polyvertnum",
    "nmeshpolyvert": "mesh_polyvert",
    "nmeshpolymap": "mesh_polymap",
    "nhfielddata": "hfield_data",
    "nskinvert": "skin_vert",
    "nskintexvert": "skin_texcoord",
    "nskinface": "skin_face",
    "nskinbone": "skin_bonevertadr skin_bonevertnum skin_bonebindpos skin_bonebindquat skin_bonebodyid",
    "nskinbonevert": "skin_bonevertid skin_bonevertweight",
    "nbvh": "bvh_depth bvh_child bvh_nodeid bvh_aabb",
    "noct": "oct_depth oct_child oct_aabb oct_coeff",
    "npluginattr": "plugin_attr",
    "npluginstate": "plugin_state",
    "nflexnode": "flex_nodebodyid flex_node flex_node0",
    "nflexvert": "flex_vertbodyid flex_vertcell flex_vert flex_vert0 flexvert_xpos flexvert_lambda flexvert_conage",
    "nflexedge": (
        "flex_edge flex_edgeflap flexedge_length0 flexedge_invweight0 flexedge_rigid flexedge_length flexedge_velocity "
        "flexedge_J_rownnz flexedge_J_rowadr"
    ),
    "nflexelem": "flex_elemlayer flex_matid flexelem_aabb",
    "nflexelemdata": "flex_elem flex_elemtexcoord",
    "nflexelemedge": "flex_elemedge",
    "nflexshelldata": "flex_shell",
    "nflextexcoord": "flex_texcoord",
    "nflexstiffness": "flex_stiffness",
    "nflexbending": "flex_bending",
    "nJfe": "flexedge_J flexedge_J_colind",
    "ntexdata": "tex_data",
    "nnumericdata": "numeric_data",
    "ntextdata": "text_data",
    "ntupledata": "tuple_objtype tuple_objid tuple_objprm",
    "2": "energy solver_fwdinv",
    "20": "solver_niter solver_nnz",
}
_FIRST = {name: size for size, names in _ROWS.items() for name in names.split()}
_FIRST |= {f"name_{prefix}adr": size for prefix, size in _PREFIXES.items()}

# What follows the first size, where a size of the model decides it.
_LAST = {
    "key_qpos": ["nq"], "key_qvel": ["nv"], "key_act": ["na"], "key_ctrl": ["nu"], "key_plastic": ["nplastic"],
    "key_mpos": ["3*nmocap"], "key_mquat": ["4*nmocap"], **{f"{name}_user": [f"nuser_{name}"] for name in _USER},
}  # fmt: skip

_UNITS = {
    "s": "key_time actuator_delay sensor_delay",
    "m": (
        "xpos xipos xanchor geom_xpos site_xpos cam_xpos light_xpos subtree_com mocap_pos body_pos body_ipos jnt_pos geom_pos "
        "geom_size geom_rbound geom_margin geom_gap geom_aabb site_pos site_size cam_pos light_pos mesh_vert hfield_size "
        "body_margin pair_margin pair_gap cam_ipd flexvert_xpos flexelem_aabb flexedge_length flexedge_length0 flex_vert "
        "flex_node"
    ),
    "m or rad": "qpos qpos0 qpos_spring key_qpos ten_length jnt_range jnt_margin tendon_range tendon_length0 tendon_lengthspring",
    "m/s or rad/s": "qvel key_qvel ten_velocity",
    "m/s² or rad/s²": "qacc qacc_smooth qacc_warmstart",
    "N or N m": (
        "qfrc_applied qfrc_bias qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_adhesion qfrc_passive qfrc_actuator "
        "qfrc_smooth qfrc_constraint qfrc_inverse actuator_force actuator_forcerange jnt_actfrcrange dof_frictionloss "
        "tendon_frictionloss tendon_actfrcrange"
    ),
    "N, then N m": "xfrc_applied",
    "kg": "body_mass body_subtreemass",
    "kg m²": "body_inertia",
    "kg or kg m²": "dof_armature M dof_M0",
    "J": "energy",
    "m/s": "subtree_linvel flexedge_velocity",
    "kg m²/s": "subtree_angmom",
    "rad/s, then m/s": "cvel",
    "rad/s², then m/s²": "cacc",
    "N m, then N": "cfrc_int cfrc_ext",
    "degrees": "cam_fovy",
    "w, x, y, z": (
        "xquat xiquat geom_xquat site_xquat mocap_quat body_quat body_iquat geom_quat site_quat cam_quat mesh_quat skin_bonebindquat"
    ),
    "row-major, 3 by 3": "xmat ximat geom_xmat site_xmat cam_xmat cam_mat0",
}
_UNIT = {name: unit for unit, names in _UNITS.items() for name in names.split()}

MODEL: dict[str, str] = {name: doc for name, doc, _ in _core._model_fields()} | _LOOSE
DATA: dict[str, str] = dict(_core._data_docs()) | {
    "solver_niter": "Iterations of the solver in each island.",
    "solver_nnz": "Always zero.",
}


def shape(name: str, tail: tuple[int, ...]) -> list[str]:
    """Returns the shape of a field in names of sizes; ``tail`` is what follows the first size."""
    first = _FIRST.get(name) or _PREFIXES.get(name.split("_")[0], "?")
    return [first, *(_LAST.get(name) or map(str, tail))]


def describe(name: str, doc: str, sizes: list[str], dtype: str) -> str:
    """Returns a sentence about a field, its shape, type and unit."""
    unit = f"; {_UNIT[name]}" if name in _UNIT else ""
    last = "," if len(sizes) == 1 else ""
    doc = re.sub(r", n[a-z]+\.$", ".", doc)
    return f"{doc} Shape ({', '.join(sizes)}{last}), {dtype}{unit}.".lstrip()


def field(name: str, docs: dict[str, str], array: Any) -> str:
    """Returns a sentence about a field of which an array is given, of whatever size."""
    return describe(name, docs.get(name, ""), shape(name, array.shape[1:]), array.dtype.name)


def size(name: str) -> str:
    """Returns a sentence about a size of a model."""
    plain = name.removeprefix("n")
    counted = plain if plain.endswith("data") else f"{plain}s"
    return _SIZES.get(name) or f"Number of {counted}."
