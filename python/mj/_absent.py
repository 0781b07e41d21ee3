"""Arrays of features that are not there yet, and of older interfaces: type and shape, with the names of the arrays."""

from __future__ import annotations

# Of models.
MODEL: dict[tuple[str, tuple[int | str, ...]], str] = {
    ("i4", ("nbody",)): "body_plugin",
    ("i4", ("noct",)): "oct_depth",
    ("i4", ("noct", 8)): "oct_child",
    ("f8", ("noct", 6)): "oct_aabb",
    ("f8", ("noct", 8)): "oct_coeff",
    ("i4", ("ngeom",)): "geom_plugin",
    ("i4", ("nflex",)): (
        "flex_contype flex_conaffinity flex_condim flex_priority flex_selfcollide flex_activelayers "
        "flex_passive flex_dim flex_group flex_interp flex_nodeadr flex_nodenum flex_vertadr flex_vertnum "
        "flex_edgeadr flex_edgenum flex_elemadr flex_elemnum flex_elemdataadr flex_stiffnessadr "
        "flex_elemedgeadr flex_bendingadr flex_plasticadr flex_plasticmode flex_shellnum flex_shelldataadr "
        "flex_texcoordadr flex_edgeequality flex_bvhadr flex_bvhnum "
    ),
    ("f8", ("nflex",)): (
        "flex_solmix flex_margin flex_gap flex_radius flex_damping flex_edgestiffness flex_edgedamping "
    ),
    ("f8", ("nflex", 2)): "flex_solref flex_yield",
    ("f8", ("nflex", 5)): "flex_solimp",
    ("f8", ("nflex", 3)): "flex_friction flex_size",
    ("i4", ("nflexelem",)): "flex_matid flex_elemlayer",
    ("i4", ("nflex", 3)): "flex_cellnum",
    ("i4", ("nflexnode",)): "flex_nodebodyid",
    ("i4", ("nflexvert",)): "flex_vertbodyid flex_vertcell",
    ("i4", ("nflexedge", 2)): "flex_edge flex_edgeflap",
    ("i4", ("nflexelemdata",)): "flex_elem flex_elemtexcoord",
    ("i4", ("nflexelemedge",)): "flex_elemedge",
    ("i4", ("nflexshelldata",)): "flex_shell",
    ("f8", ("nflexvert", 3)): "flex_vert flex_vert0",
    ("f8", ("nflexnode", 3)): "flex_node flex_node0",
    ("f8", ("nflexedge",)): "flexedge_length0 flexedge_invweight0",
    ("f8", ("nflexstiffness",)): "flex_stiffness",
    ("f8", ("nflexbending",)): "flex_bending",
    ("i4", ("nefm0dof",)): "efm0_dofid efm0_L_rownnz efm0_L_rowadr",
    ("i4", ("nefm0L",)): "efm0_L_colind",
    ("f8", ("nefm0L",)): "efm0_L",
    ("i4", ("nefmCvert",)): "efmC_perm",
    ("?", ("nflex",)): "flex_rigid flex_centered flex_flatskin",
    ("?", ("nflexedge",)): "flexedge_rigid",
    ("i4", ("nflexedge",)): "flexedge_J_rownnz flexedge_J_rowadr",
    ("i4", ("nJfe",)): "flexedge_J_colind",
    ("f4", ("nflex", 4)): "flex_rgba",
    ("f4", ("nflextexcoord", 2)): "flex_texcoord",
    ("i4", ("nmesh",)): "mesh_octadr mesh_octnum mesh_pathadr",
    ("i4", ("nskin",)): "skin_pathadr",
    ("i4", ("nhfield",)): "hfield_pathadr",
    ("i4", ("ntex",)): "tex_pathadr tex_contenttypeadr",
    ("i4", ("nactuator",)): "actuator_plugin",
    ("i4", ("nsensor",)): "sensor_plugin",
    ("i4", ("nplugin",)): "plugin plugin_stateadr plugin_statenum plugin_attradr",
}

# Of data.
DATA: dict[tuple[str, tuple[int | str, ...]], str] = {
    ("f8", ("npluginstate",)): "plugin_state",
    ("i4", ("nplugin",)): "plugin",
    ("u8", ("nplugin",)): "plugin_data",
    ("f8", ("nflexvert", 3)): "flexvert_xpos",
    ("f8", ("nflexelem", 6)): "flexelem_aabb",
    ("f8", ("nflexstiffness",)): "flexelem_krot",
    ("?", ("nflex",)): "flex_hessian_valid",
    ("f8", ("nflexvert", 6)): "flexvert_hessian",
    ("f8", ("nflexedge", 9)): "flexedge_hessian",
    ("f8", ("nJfe",)): "flexedge_J",
    ("f8", ("nflexedge",)): "flexedge_length flexedge_velocity",
    ("f8", ("nbvhdynamic", 6)): "bvh_aabb_dyn",
    ("f8", ("nflexvert",)): "flexvert_lambda",
    ("i4", ("nflexvert",)): "flexvert_conage",
    ("i4", ("ntendon",)): "efm_tid",
    ("?", ("nbvh",)): "bvh_active",
    ("i4", ("nv",)): "efm_K_rownnz efm_K_rowadr",
    ("f8", ("nC",)): "efm_fluid",
    ("f8", ("nv",)): "efm_c efm_diag efm_ck efm_sdiag efm_ca",
    ("f8", ("ntendon",)): "efm_ts efm_tk",
    ("i4", ("nactuator",)): "efm_aid",
    ("f8", ("nactuator",)): "efm_as efm_ak",
    ("i4", ("nefmK",)): "efm_K_colind",
    ("f8", ("nefmK",)): "efm_K_val",
    ("i4", ("nefmdof",)): "efm_dofid",
    ("i4", ("nefmcon",)): "efm_con_ind",
    ("f8", ("nefmcon",)): "efm_con_val",
    ("f8", ("nefmL",)): "efm_L",
}

# Of models of older interfaces: those who read them all find them, without rows.
MODEL_BEFORE: dict[tuple[str, tuple[int | str, ...]], str] = {
    ("i4", (0,)): "flex_vertedgeadr flex_vertedgenum flexvert_J_rownnz flexvert_J_rowadr flexvert_J_colind flex_bandwidth",
    ("i4", (0, 2)): "flex_vertedge",
    ("f8", (0, 4)): "flex_vertmetric",
}

# Of data of older interfaces.
DATA_BEFORE: dict[tuple[str, tuple[int | str, ...]], str] = {
    ("f8", (0, 2)): "flexvert_J flexvert_length",
}

# Sizes that are zero.
SIZES = (
    "nbvhdynamic noct nefm0dof nefm0L nefmCvert nJfe nJfv nflex nflexnode nflexvert nflexedge nflexelem "
    "nflexelemdata nflexstiffness nflexbending nflexelemedge nflexshelldata nflextexcoord nplugin npluginattr npluginstate"
).split()
