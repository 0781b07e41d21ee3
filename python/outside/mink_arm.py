"""Solve inverse kinematics of an arm with mink for poses that it can reach, and print how many were met.

    python -m mj run mink_arm.py MODEL BODY
"""

import sys

import mink
import mujoco
import numpy as np

POSES = 20
ITERATIONS = 2000
TOLERANCE = 1e-4


def main() -> int:
    """Solve for all poses, and return the number of those that were not met."""
    path, body = sys.argv[1:]
    model = mujoco.MjModel.from_xml_path(path)
    # Bent: an arm that is straight can't move in all directions.
    home = moved_by(model, mink.Configuration(model).q.copy(), np.full(model.nv, 0.8))
    task = mink.FrameTask(frame_name=body, frame_type="body", position_cost=1.0, orientation_cost=1.0, lm_damping=1e-3)
    posture = mink.PostureTask(model=model, cost=1e-6)
    rng, met = np.random.default_rng(0), 0
    for _ in range(POSES):
        # Poses near the first: from far ones the method may end at a limit of a joint.
        goal = mink.Configuration(model, moved_by(model, home, 0.2 * rng.standard_normal(model.nv)))
        task.set_target(goal.get_transform_frame_to_world(body, "body"))
        posture.set_target(home)
        configuration = mink.Configuration(model, home)
        for _ in range(ITERATIONS):
            velocity = mink.solve_ik(configuration, [task, posture], 0.05, "quadprog", 1e-6)
            configuration.integrate_inplace(velocity, 0.05)
            if np.abs(task.compute_error(configuration)).max() < TOLERANCE:
                met += 1
                break
    print(f"{met} of {POSES} poses met")
    return POSES - met


def moved_by(model: mujoco.MjModel, q: np.ndarray, velocity: np.ndarray) -> np.ndarray:
    """Return coordinates moved by a velocity for a second, within the ranges of the joints."""
    moved = q.copy()
    mujoco.mj_integratePos(model, moved, velocity, 1.0)
    for joint in range(model.njnt):
        if model.jnt_limited[joint]:
            address = model.jnt_qposadr[joint]
            moved[address] = np.clip(moved[address], *model.jnt_range[joint])
    return moved


if __name__ == "__main__":
    sys.exit(main())
