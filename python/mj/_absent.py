"""Arrays of features that are not there yet, and of older interfaces: type and shape, with the names of the arrays."""

from __future__ import annotations

# Of models.
MODEL: dict[tuple[str, tuple[int | str, ...]], str] = {
    ("i4", ("nefm0dof",)): "efm0_dofid efm0_L_rownnz efm0_L_rowadr",
    ("i4", ("nefm0L",)): "efm0_L_colind",
    ("f8", ("nefm0L",)): "efm0_L",
    ("i4", ("nefmCvert",)): "efmC_perm",
    ("i4", ("nmesh",)): "mesh_pathadr",
    ("i4", ("nskin",)): "skin_pathadr",
    ("i4", ("nhfield",)): "hfield_pathadr",
    ("i4", ("ntex",)): "tex_pathadr tex_contenttypeadr",
}

# Of data.
DATA: dict[tuple[str, tuple[int | str, ...]], str] = {
    ("u8", ("nplugin",)): "plugin_data",
    ("f8", ("nflexstiffness",)): "flexelem_krot",
    ("?", ("nflex",)): "flex_hessian_valid",
    ("f8", ("nflexvert", 6)): "flexvert_hessian",
    ("f8", ("nflexedge", 9)): "flexedge_hessian",
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
SIZES = "nbvhdynamic nefm0dof nefm0L nefmCvert nJfv".split()
