"""The roles that people expect, written down by hand for skeletons of files and of well-known rigs.

An outline has a line per chain of joints, `>` between them, ` = ` before a role; deeper lines hang on
the last joint of the line above.
"""

from dataclasses import dataclass

from model.roles import Role


@dataclass(frozen=True)
class Expected:
    """A skeleton, joints parents first, and the role each joint should get."""

    names: tuple[str, ...]
    parents: tuple[int, ...]
    roles: tuple[Role | None, ...]


def read_outline(text: str) -> Expected:
    joints: list[tuple[str, int, Role | None]] = []
    line_ends: list[tuple[int, int]] = []  # of the lines still open: indentation, last joint
    for line in text.strip("\n").splitlines():
        indent = len(line) - len(line.lstrip())
        while line_ends and line_ends[-1][0] >= indent:
            line_ends.pop()
        parent = line_ends[-1][1] if line_ends else -1
        for item in line.strip().split(" > "):
            name, _, role = item.partition(" = ")
            joints.append((name, parent, Role(role) if role else None))
            parent = len(joints) - 1
        line_ends.append((indent, parent))
    names, parents, roles = zip(*joints, strict=True)
    return Expected(names, parents, roles)


# Every distinct skeleton among the recorded clips the project is tested with.
_OF_FILES = {
    "cmu": """
Hips = pelvis
 LHipJoint > LeftUpLeg = left_hip > LeftLeg = left_knee > LeftFoot = left_ankle > LeftToeBase = left_toe
 RHipJoint > RightUpLeg = right_hip > RightLeg = right_knee > RightFoot = right_ankle
  RightToeBase = right_toe
 LowerBack = spine > Spine > Spine1 = chest
  Neck = neck > Neck1 > Head = head
  LeftShoulder = left_clavicle > LeftArm = left_shoulder > LeftForeArm = left_elbow > LeftHand = left_wrist
   LeftFingerBase = left_hand > LeftHandIndex1
   LThumb
  RightShoulder = right_clavicle > RightArm = right_shoulder > RightForeArm = right_elbow
   RightHand = right_wrist
    RightFingerBase = right_hand > RightHandIndex1
    RThumb
""",
    "100style": """
Hips = pelvis
 Chest = spine > Chest2 > Chest3 > Chest4 = chest
  Neck = neck > Head = head
  RightCollar = right_clavicle > RightShoulder = right_shoulder > RightElbow = right_elbow
   RightWrist = right_wrist
  LeftCollar = left_clavicle > LeftShoulder = left_shoulder > LeftElbow = left_elbow
   LeftWrist = left_wrist
 RightHip = right_hip > RightKnee = right_knee > RightAnkle = right_ankle > RightToe = right_toe
 LeftHip = left_hip > LeftKnee = left_knee > LeftAnkle = left_ankle > LeftToe = left_toe
""",
    "mixamo with colons": """
mixamorig:Hips = pelvis
 mixamorig:Spine = spine > mixamorig:Spine1 > mixamorig:Spine2 = chest
  mixamorig:Neck = neck > mixamorig:Head = head
   mixamorig:HeadTop_End
   mixamorig:LeftEye
   mixamorig:RightEye
  mixamorig:LeftShoulder = left_clavicle > mixamorig:LeftArm = left_shoulder
   mixamorig:LeftForeArm = left_elbow > mixamorig:LeftHand = left_wrist
    mixamorig:LeftHandMiddle1 > mixamorig:LeftHandMiddle2 > mixamorig:LeftHandMiddle3
    mixamorig:LeftHandThumb1 > mixamorig:LeftHandThumb2 > mixamorig:LeftHandThumb3
    mixamorig:LeftHandIndex1 > mixamorig:LeftHandIndex2 > mixamorig:LeftHandIndex3
    mixamorig:LeftHandRing1 > mixamorig:LeftHandRing2 > mixamorig:LeftHandRing3
    mixamorig:LeftHandPinky1 > mixamorig:LeftHandPinky2 > mixamorig:LeftHandPinky3
  mixamorig:RightShoulder = right_clavicle > mixamorig:RightArm = right_shoulder
   mixamorig:RightForeArm = right_elbow > mixamorig:RightHand = right_wrist
    mixamorig:RightHandMiddle1 > mixamorig:RightHandMiddle2 > mixamorig:RightHandMiddle3
    mixamorig:RightHandThumb1 > mixamorig:RightHandThumb2 > mixamorig:RightHandThumb3
    mixamorig:RightHandIndex1 > mixamorig:RightHandIndex2 > mixamorig:RightHandIndex3
    mixamorig:RightHandRing1 > mixamorig:RightHandRing2 > mixamorig:RightHandRing3
    mixamorig:RightHandPinky1 > mixamorig:RightHandPinky2 > mixamorig:RightHandPinky3
 mixamorig:RightUpLeg = right_hip > mixamorig:RightLeg = right_knee > mixamorig:RightFoot = right_ankle
  mixamorig:RightToeBase = right_toe
 mixamorig:LeftUpLeg = left_hip > mixamorig:LeftLeg = left_knee > mixamorig:LeftFoot = left_ankle
  mixamorig:LeftToeBase = left_toe
""",
    "mocapbank": """
Hips = pelvis
 Chest = spine > Chest2 = chest
  LeftCollar = left_clavicle > LeftShoulder = left_shoulder > LeftElbow = left_elbow
   LeftWrist = left_wrist
  RightCollar = right_clavicle > RightShoulder = right_shoulder > RightElbow = right_elbow
   RightWrist = right_wrist
  Neck = neck > Head = head
 LeftHip = left_hip > LeftKnee = left_knee > LeftAnkle = left_ankle
 RightHip = right_hip > RightKnee = right_knee > RightAnkle = right_ankle
""",
    "accad": """
Hips = pelvis
 ToSpine > Spine = spine > Spine1 = chest
  Neck = neck > Head = head
  LeftShoulder = left_clavicle > LeftArm = left_shoulder > LeftForeArm = left_elbow > LeftHand = left_wrist
  RightShoulder = right_clavicle > RightArm = right_shoulder > RightForeArm = right_elbow
   RightHand = right_wrist
 LeftUpLeg = left_hip > LeftLeg = left_knee > LeftFoot = left_ankle > LeftToeBase = left_toe
 RightUpLeg = right_hip > RightLeg = right_knee > RightFoot = right_ankle > RightToeBase = right_toe
""",
    "bandai namco": """
joint_Root > Hips = pelvis
 Spine = spine > Chest = chest
  Neck = neck > Head = head
  Shoulder_L = left_clavicle > UpperArm_L = left_shoulder > LowerArm_L = left_elbow > Hand_L = left_wrist
  Shoulder_R = right_clavicle > UpperArm_R = right_shoulder > LowerArm_R = right_elbow
   Hand_R = right_wrist
 UpperLeg_L = left_hip > LowerLeg_L = left_knee > Foot_L = left_ankle > Toes_L = left_toe
 UpperLeg_R = right_hip > LowerLeg_R = right_knee > Foot_R = right_ankle > Toes_R = right_toe
""",
    "bvhtoolbox": """
Hips = pelvis
 RightUpLeg = right_hip > RightLeg = right_knee > RightFoot = right_ankle
 LeftUpLeg = left_hip > LeftLeg = left_knee > LeftFoot = left_ankle
 Spine = spine > Spine1 = chest
  Neck = neck > Head = head
  RightShoulder = right_clavicle > RightArm = right_shoulder > RightForeArm = right_elbow
   RightHand = right_wrist
  LeftShoulder = left_clavicle > LeftArm = left_shoulder > LeftForeArm = left_elbow > LeftHand = left_wrist
""",
    "dfki": """
FK_back1_jnt = pelvis
 FK_back2_jnt = spine > FK_back3_jnt = chest
  FK_back4_jnt = neck > head_jnt = head > head_end_jnt
  R_shoulder_jnt = right_clavicle
   R_shoulderEnd_jnt
   R_upArm_jnt = right_shoulder > R_lowArm_jnt = right_elbow > R_hand_jnt = right_wrist
    R_hand_end_jnt
    R_handRoot_jnt = right_hand
     R_index_root_jnt > R_index_base_jnt > R_index_mid_jnt > R_index_tip_jnt > R_index_end_jnt
     R_middle_root_jnt > R_middle_base_jnt > R_middle_mid_jnt > R_middle_tip_jnt > R_middle_end_jnt
     R_ring_base_jnt > R_ring_root_jnt > R_ring_mid_jnt > R_ring_tip_jnt > R_ring_end_jnt
     R_pinky_root_jnt > R_pinky_base_jnt > R_pinky_mid_jnt > R_pinky_tip_jnt > R_pinky_end_jnt
     R_thumb_base_jnt > R_thumb_mid_jnt > R_thumb_tip_jnt > R_thumb_end_jnt
  L_shoulder_jnt = left_clavicle
   L_shoulderEnd_jnt
   L_upArm_jnt = left_shoulder > L_lowArm_jnt = left_elbow > L_hand_jnt = left_wrist
    L_hand_end_jnt
    L_handRoot_jnt = left_hand
     L_index_root_jnt > L_index_base_jnt > L_index_mid_jnt > L_index_tip_jnt > L_index_end_jnt
     L_middle_root_jnt > L_middle_base_jnt > L_middle_mid_jnt > L_middle_tip_jnt > L_middle_end_jnt
     L_pinky_root_jnt > L_pinky_base_jnt > L_pinky_mid_jnt > L_pinky_tip_jnt > L_pinky_end_jnt
     L_ring_base_jnt > L_ring_root_jnt > L_ring_mid_jnt > L_ring_tip_jnt > L_ring_end_jnt
     L_thumb_base_jnt > L_thumb_mid_jnt > L_thumb_tip_jnt > L_thumb_end_jnt
 L_upLeg_jnt = left_hip > L_lowLeg_jnt = left_knee > L_foot_jnt = left_ankle > L_toe_jnt = left_toe
  L_toe_tip_jnt
 R_upLeg_jnt = right_hip > R_lowLeg_jnt = right_knee > R_foot_jnt = right_ankle > R_toe_jnt = right_toe
  R_toe_tip_jnt
""",
    "fair": """
Hips = pelvis
 Spine = spine > Spine1 > Spine2 > Spine3 = chest
  Neck = neck > Head = head
  RightShoulder = right_clavicle > RightArm = right_shoulder > RightForeArm = right_elbow
   RightHand = right_wrist
    RightHandEnd
    RightHandThumb1
  LeftShoulder = left_clavicle > LeftArm = left_shoulder > LeftForeArm = left_elbow > LeftHand = left_wrist
   LeftHandEnd
   LeftHandThumb1
 RightUpLeg = right_hip > RightLeg = right_knee > RightFoot = right_ankle > RightToeBase = right_toe
 LeftUpLeg = left_hip > LeftLeg = left_knee > LeftFoot = left_ankle > LeftToeBase = left_toe
""",
    "ipi": """
Hips = pelvis
 Spine = spine > Spine1 > Spine2 = chest
  Neck = neck > Head = head
  LeftShoulder = left_clavicle > LeftArm = left_shoulder > LeftForeArm = left_elbow > LeftHand = left_wrist
   LeftHandIndex1 > LeftHandIndex2 > LeftHandIndex3
   LeftHandMiddle1 > LeftHandMiddle2 > LeftHandMiddle3
   LeftHandRing1 > LeftHandRing2 > LeftHandRing3
   LeftHandPinky1 > LeftHandPinky2 > LeftHandPinky3
   LeftHandThumb1 > LeftHandThumb2 > LeftHandThumb3
  RightShoulder = right_clavicle > RightArm = right_shoulder > RightForeArm = right_elbow
   RightHand = right_wrist
    RightHandIndex1 > RightHandIndex2 > RightHandIndex3
    RightHandMiddle1 > RightHandMiddle2 > RightHandMiddle3
    RightHandRing1 > RightHandRing2 > RightHandRing3
    RightHandPinky1 > RightHandPinky2 > RightHandPinky3
    RightHandThumb1 > RightHandThumb2 > RightHandThumb3
 RightUpLeg = right_hip > RightLeg = right_knee > RightFoot = right_ankle > RightToeBase = right_toe
 LeftUpLeg = left_hip > LeftLeg = left_knee > LeftFoot = left_ankle > LeftToeBase = left_toe
""",
    "kinect": """
TORSO# = pelvis
 TLS > LEFT_SHOULDER# = left_shoulder > LEFT_ELBOW = left_elbow > LEFT_HAND = left_wrist
 TRS > RIGHT_SHOULDER# = right_shoulder > RIGHT_ELBOW = right_elbow > RIGHT_HAND = right_wrist
 TLH > LEFT_HIP# = left_hip > LEFT_KNEE = left_knee > LEFT_FOOT = left_ankle
 TRH > RIGHT_HIP# = right_hip > RIGHT_KNEE = right_knee > RIGHT_FOOT = right_ankle
 TN > NECK# = neck > HEAD = head
""",
    "lafan1": """
Hips = pelvis
 LeftUpLeg = left_hip > LeftLeg = left_knee > LeftFoot = left_ankle > LeftToe = left_toe
 RightUpLeg = right_hip > RightLeg = right_knee > RightFoot = right_ankle > RightToe = right_toe
 Spine = spine > Spine1 > Spine2 = chest
  Neck = neck > Head = head
  LeftShoulder = left_clavicle > LeftArm = left_shoulder > LeftForeArm = left_elbow > LeftHand = left_wrist
  RightShoulder = right_clavicle > RightArm = right_shoulder > RightForeArm = right_elbow
   RightHand = right_wrist
""",
    "makehuman": """
root = pelvis
 pelvis.R > upperleg01.R = right_hip > upperleg02.R > lowerleg01.R = right_knee > lowerleg02.R
  foot.R = right_ankle
   metatarsal1.R > toe1-1.R = right_toe > toe1-2.R
   metatarsal4.R > toe4-1.R > toe4-2.R > toe4-3.R
   metatarsal3.R > toe3-1.R > toe3-2.R > toe3-3.R
   metatarsal5.R > toe5-1.R > toe5-2.R > toe5-3.R
   metatarsal2.R > toe2-1.R > toe2-2.R > toe2-3.R
 pelvis.L > upperleg01.L = left_hip > upperleg02.L > lowerleg01.L = left_knee > lowerleg02.L
  foot.L = left_ankle
   metatarsal1.L > toe1-1.L = left_toe > toe1-2.L
   metatarsal4.L > toe4-1.L > toe4-2.L > toe4-3.L
   metatarsal5.L > toe5-1.L > toe5-2.L > toe5-3.L
   metatarsal3.L > toe3-1.L > toe3-2.L > toe3-3.L
   metatarsal2.L > toe2-1.L > toe2-2.L > toe2-3.L
 spine05 = spine > spine04 > spine03 > spine02
  spine01 = chest
   clavicle.L = left_clavicle > shoulder01.L > upperarm01.L = left_shoulder > upperarm02.L
    lowerarm01.L = left_elbow > lowerarm02.L > wrist.L = left_wrist
     finger1-1.L > finger1-2.L > finger1-3.L
     metacarpal4.L > finger5-1.L > finger5-2.L > finger5-3.L
     metacarpal3.L > finger4-1.L > finger4-2.L > finger4-3.L
     metacarpal1.L > finger2-1.L > finger2-2.L > finger2-3.L
     metacarpal2.L > finger3-1.L > finger3-2.L > finger3-3.L
   clavicle.R = right_clavicle > shoulder01.R > upperarm01.R = right_shoulder > upperarm02.R
    lowerarm01.R = right_elbow > lowerarm02.R > wrist.R = right_wrist
     finger1-1.R > finger1-2.R > finger1-3.R
     metacarpal4.R > finger5-1.R > finger5-2.R > finger5-3.R
     metacarpal3.R > finger4-1.R > finger4-2.R > finger4-3.R
     metacarpal1.R > finger2-1.R > finger2-2.R > finger2-3.R
     metacarpal2.R > finger3-1.R > finger3-2.R > finger3-3.R
   neck01 = neck > neck02 > neck03 > head = head
    temporalis02.R > risorius02.R > risorius03.R
    jaw
     tongue00 > tongue01
      tongue02
       tongue03
        tongue04
        tongue07.L
        tongue07.R
       tongue06.L
       tongue06.R
      tongue05.L
      tongue05.R
     special04
      oris06.L > oris07.L
      oris06.R > oris07.R
      oris02 > oris01
    levator02.R > levator03.R > levator04.R > levator05.R
    temporalis02.L > risorius02.L > risorius03.L
    levator02.L > levator03.L > levator04.L > levator05.L
    special01
     oris04.R > oris03.R
     oris04.L > oris03.L
     oris06 > oris05
    temporalis01.L > oculi02.L > oculi01.L
    temporalis01.R > oculi02.R > oculi01.R
    special06.R > special05.R
     eye.R
     orbicularis04.R
     orbicularis03.R
    special06.L > special05.L
     eye.L
     orbicularis04.L
     orbicularis03.L
    special03
     levator06.R
     levator06.L
  breast.L
  breast.R
""",
    "makehuman connectors": """
Root
 Spine1 = spine > Spine2 > Spine3 = chest
  Neck = neck > Head = head
   __Jaw > Jaw
    __Tongue1
    Tongue1 > Tongue2 > Tongue3
   __Eye_L > Eye_L
   __Eye_R > Eye_R
  __Clavicle_L > Clavicle_L = left_clavicle > UpArm_L = left_shoulder > LoArm_L = left_elbow
   Hand_L = left_wrist
    __Thumb1_L > Thumb1_L > Thumb2_L > Thumb3_L
    __Index1_L > Index1_L > Index2_L > Index3_L
    Middle1_L > Middle2_L > Middle3_L
    __Ring1_L > Ring1_L > Ring2_L > Ring3_L
    __Pinky1_L > Pinky1_L > Pinky2_L > Pinky3_L
  __Clavicle_R > Clavicle_R = right_clavicle > UpArm_R = right_shoulder > LoArm_R = right_elbow
   Hand_R = right_wrist
    __Thumb1_R > Thumb1_R > Thumb2_R > Thumb3_R
    __Index1_R > Index1_R > Index2_R > Index3_R
    Middle1_R > Middle2_R > Middle3_R
    __Ring1_R > Ring1_R > Ring2_R > Ring3_R
    __Pinky1_R > Pinky1_R > Pinky2_R > Pinky3_R
 Hips = pelvis
  __UpLeg_L > UpLeg_L = left_hip > LoLeg_L = left_knee > Foot_L = left_ankle > Toe_L = left_toe
  __UpLeg_R > UpLeg_R = right_hip > LoLeg_R = right_knee > Foot_R = right_ankle > Toe_R = right_toe
""",
    "mass": """
Character1_Hips = pelvis
 Character1_Spine = spine
  Character1_Spine1 = chest
   Character1_LeftShoulder = left_clavicle
    Character1_LeftArm = left_shoulder
     Character1_LeftForeArm = left_elbow
      Character1_LeftHand = left_wrist
      L_Radius_RIGMESH
     L_Humerus_RIGMESH
    L_Shoulder_RIGMESH
   Character1_RightShoulder = right_clavicle
    Character1_RightArm = right_shoulder
     Character1_RightForeArm = right_elbow
      Character1_RightHand = right_wrist
      R_Radius_RIGMESH
     R_Humerus_RIGMESH
    R_Shoulder_RIGMESH
   Character1_Neck = neck
    Character1_Head = head
    Neck_RIGMESH
   Torso_RIGMESH
  Spine_RIGMESH
 Character1_RightUpLeg = right_hip
  Character1_RightLeg = right_knee
   Character1_RightFoot = right_ankle
    Character1_RightToeBase = right_toe
    R_Talus_RIGMESH
   R_Tibia_RIGMESH
  R_Femur_RIGMESH
 Character1_LeftUpLeg = left_hip
  Character1_LeftLeg = left_knee
   Character1_LeftFoot = left_ankle
    Character1_LeftToeBase = left_toe
    L_Talus_RIGMESH
   L_Tibia_RIGMESH
  L_Femur_RIGMESH
 Pelvis_RIGMESH
""",
    "mocapnet": """
hip = pelvis
 abdomen = spine > chest = chest
  neck = neck > neck1 > head = head
   __jaw > jaw
    special04
     oris02 > oris01
     oris06.l > oris07.l
     oris06.r > oris07.r
    tongue00 > tongue01
     tongue02
      tongue03
       __tongue04 > tongue04
       tongue07.l
       tongue07.r
      tongue06.l
      tongue06.r
     tongue05.l
     tongue05.r
   __levator02.l > levator02.l > levator03.l > levator04.l > levator05.l
   __levator02.r > levator02.r > levator03.r > levator04.r > levator05.r
   __special01 > special01
    oris04.l > oris03.l
    oris04.r > oris03.r
    oris06 > oris05
   __special03 > special03
    __levator06.l > levator06.l
    __levator06.r > levator06.r
   special06.l > special05.l
    eye.l
    orbicularis03.l
    orbicularis04.l
   special06.r > special05.r
    eye.r
    orbicularis03.r
    orbicularis04.r
   __temporalis01.l > temporalis01.l > oculi02.l > oculi01.l
   __temporalis01.r > temporalis01.r > oculi02.r > oculi01.r
   __temporalis02.l > temporalis02.l > risorius02.l > risorius03.l
   __temporalis02.r > temporalis02.r > risorius02.r > risorius03.r
  rcollar = right_clavicle > rshoulder = right_shoulder > relbow = right_elbow > rhand = right_wrist
   metacarpal1.r > finger2-1.r > finger2-2.r > finger2-3.r
   metacarpal2.r > finger3-1.r > finger3-2.r > finger3-3.r
   __metacarpal3.r > metacarpal3.r > finger4-1.r > finger4-2.r > finger4-3.r
   __metacarpal4.r > metacarpal4.r > finger5-1.r > finger5-2.r > finger5-3.r
   __rthumb > rthumb > finger1-2.r > finger1-3.r
  lcollar = left_clavicle > lshoulder = left_shoulder > lelbow = left_elbow > lhand = left_wrist
   metacarpal1.l > finger2-1.l > finger2-2.l > finger2-3.l
   metacarpal2.l > finger3-1.l > finger3-2.l > finger3-3.l
   __metacarpal3.l > metacarpal3.l > finger4-1.l > finger4-2.l > finger4-3.l
   __metacarpal4.l > metacarpal4.l > finger5-1.l > finger5-2.l > finger5-3.l
   __lthumb > lthumb > finger1-2.l > finger1-3.l
 rbuttock > rhip = right_hip > rknee = right_knee > rfoot = right_ankle
  toe1-1.r = right_toe > toe1-2.r
  toe2-1.r > toe2-2.r > toe2-3.r
  toe3-1.r > toe3-2.r > toe3-3.r
  toe4-1.r > toe4-2.r > toe4-3.r
  toe5-1.r > toe5-2.r > toe5-3.r
 lbuttock > lhip = left_hip > lknee = left_knee > lfoot = left_ankle
  toe1-1.l = left_toe > toe1-2.l
  toe2-1.l > toe2-2.l > toe2-3.l
  toe3-1.l > toe3-2.l > toe3-3.l
  toe4-1.l > toe4-2.l > toe4-3.l
  toe5-1.l > toe5-2.l > toe5-3.l
""",
    "neuron": """
Hips = pelvis
 RightUpLeg = right_hip > RightLeg = right_knee > RightFoot = right_ankle
 LeftUpLeg = left_hip > LeftLeg = left_knee > LeftFoot = left_ankle
 Spine = spine > Spine1 > Spine2 > Spine3 = chest
  Neck = neck > Head = head
  RightShoulder = right_clavicle > RightArm = right_shoulder > RightForeArm = right_elbow
   RightHand = right_wrist
    RightHandThumb1 > RightHandThumb2 > RightHandThumb3
    RightInHandIndex > RightHandIndex1 > RightHandIndex2 > RightHandIndex3
    RightInHandMiddle > RightHandMiddle1 > RightHandMiddle2 > RightHandMiddle3
    RightInHandRing > RightHandRing1 > RightHandRing2 > RightHandRing3
    RightInHandPinky > RightHandPinky1 > RightHandPinky2 > RightHandPinky3
  LeftShoulder = left_clavicle > LeftArm = left_shoulder > LeftForeArm = left_elbow > LeftHand = left_wrist
   LeftHandThumb1 > LeftHandThumb2 > LeftHandThumb3
   LeftInHandIndex > LeftHandIndex1 > LeftHandIndex2 > LeftHandIndex3
   LeftInHandMiddle > LeftHandMiddle1 > LeftHandMiddle2 > LeftHandMiddle3
   LeftInHandRing > LeftHandRing1 > LeftHandRing2 > LeftHandRing3
   LeftInHandPinky > LeftHandPinky1 > LeftHandPinky2 > LeftHandPinky3
""",
    "osu": """
root = pelvis
 lowerback = spine > upperback = chest
  thorax > neck = neck > head = head
  lshoulderjoint = left_clavicle > lhumerus = left_shoulder > lradius = left_elbow > lhand = left_wrist
  rshoulderjoint = right_clavicle > rhumerus = right_shoulder > rradius = right_elbow > rhand = right_wrist
 rfemur = right_hip > rtibia = right_knee > rfoot = right_ankle > rtoes = right_toe
 lfemur = left_hip > ltibia = left_knee > lfoot = left_ankle > ltoes = left_toe
""",
    "poser": """
hip = pelvis
 abdomen = spine > chest = chest
  neck = neck > head = head
   leftEye
   rightEye
  rCollar = right_clavicle > rShldr = right_shoulder > rForeArm = right_elbow > rHand = right_wrist
   rThumb1 > rThumb2
   rIndex1 > rIndex2
   rMid1 > rMid2
   rRing1 > rRing2
   rPinky1 > rPinky2
  lCollar = left_clavicle > lShldr = left_shoulder > lForeArm = left_elbow > lHand = left_wrist
   lThumb1 > lThumb2
   lIndex1 > lIndex2
   lMid1 > lMid2
   lRing1 > lRing2
   lPinky1 > lPinky2
 rButtock > rThigh = right_hip > rShin = right_knee > rFoot = right_ankle
 lButtock > lThigh = left_hip > lShin = left_knee > lFoot = left_ankle
""",
    "rokoko": """
Hips = pelvis
 Spine = spine > Spine1 > Spine2 = chest
  LeftShoulder = left_clavicle > LeftArm = left_shoulder > LeftForeArm = left_elbow > LeftHand = left_wrist
   LeftInHandIndex > LeftHandIndex1 > LeftHandIndex2 > LeftHandIndex3
   LeftInHandMiddle > LeftHandMiddle1 > LeftHandMiddle2 > LeftHandMiddle3
   LeftInHandPinky > LeftHandPinky1 > LeftHandPinky2 > LeftHandPinky3
   LeftInHandRing > LeftHandRing1 > LeftHandRing2 > LeftHandRing3
   LeftHandThumb1 > LeftHandThumb2 > LeftHandThumb3
  Neck = neck > Head = head
  RightShoulder = right_clavicle > RightArm = right_shoulder > RightForeArm = right_elbow
   RightHand = right_wrist
    RightInHandIndex > RightHandIndex1 > RightHandIndex2 > RightHandIndex3
    RightInHandMiddle > RightHandMiddle1 > RightHandMiddle2 > RightHandMiddle3
    RightInHandPinky > RightHandPinky1 > RightHandPinky2 > RightHandPinky3
    RightInHandRing > RightHandRing1 > RightHandRing2 > RightHandRing3
    RightHandThumb1 > RightHandThumb2 > RightHandThumb3
 LeftUpLeg = left_hip > LeftLeg = left_knee > LeftFoot = left_ankle > LeftToeBase = left_toe
 RightUpLeg = right_hip > RightLeg = right_knee > RightFoot = right_ankle > RightToeBase = right_toe
""",
    "sfu": """
Hips = pelvis
 LeftUpLeg = left_hip > LeftLeg = left_knee > LeftFoot = left_ankle > LeftToeBase = left_toe
 RightUpLeg = right_hip > RightLeg = right_knee > RightFoot = right_ankle > RightToeBase = right_toe
 Spine = spine > Spine1 = chest
  Neck = neck > Head = head
  LeftShoulder = left_clavicle > LeftArm = left_shoulder > LeftForeArm = left_elbow > LeftHand = left_wrist
   LeftHandThumb
   L_Wrist_End
  RightShoulder = right_clavicle > RightArm = right_shoulder > RightForeArm = right_elbow
   RightHand = right_wrist
    RightHandThumb
    R_Wrist_End
""",
    "mixamo with underscores": """
mixamorig_Hips = pelvis
 mixamorig_Spine = spine > mixamorig_Spine1 > mixamorig_Spine2 = chest
  mixamorig_Neck = neck > mixamorig_Head = head
  mixamorig_LeftShoulder = left_clavicle > mixamorig_LeftArm = left_shoulder
   mixamorig_LeftForeArm = left_elbow > mixamorig_LeftHand = left_wrist
    mixamorig_LeftHandThumb1 > mixamorig_LeftHandThumb2 > mixamorig_LeftHandThumb3
    mixamorig_LeftHandIndex1 > mixamorig_LeftHandIndex2 > mixamorig_LeftHandIndex3
    mixamorig_LeftHandMiddle1 > mixamorig_LeftHandMiddle2 > mixamorig_LeftHandMiddle3
    mixamorig_LeftHandRing1 > mixamorig_LeftHandRing2 > mixamorig_LeftHandRing3
    mixamorig_LeftHandPinky1 > mixamorig_LeftHandPinky2 > mixamorig_LeftHandPinky3
  mixamorig_RightShoulder = right_clavicle > mixamorig_RightArm = right_shoulder
   mixamorig_RightForeArm = right_elbow > mixamorig_RightHand = right_wrist
    mixamorig_RightHandPinky1 > mixamorig_RightHandPinky2 > mixamorig_RightHandPinky3
    mixamorig_RightHandRing1 > mixamorig_RightHandRing2 > mixamorig_RightHandRing3
    mixamorig_RightHandMiddle1 > mixamorig_RightHandMiddle2 > mixamorig_RightHandMiddle3
    mixamorig_RightHandIndex1 > mixamorig_RightHandIndex2 > mixamorig_RightHandIndex3
    mixamorig_RightHandThumb1 > mixamorig_RightHandThumb2 > mixamorig_RightHandThumb3
 mixamorig_LeftUpLeg = left_hip > mixamorig_LeftLeg = left_knee > mixamorig_LeftFoot = left_ankle
  mixamorig_LeftToeBase = left_toe
 mixamorig_RightUpLeg = right_hip > mixamorig_RightLeg = right_knee > mixamorig_RightFoot = right_ankle
  mixamorig_RightToeBase = right_toe
""",
    "fingers in a tree": """
Hips = pelvis
 Spine = spine > Spine1 > Spine2 > Spine3 = chest
  Neck = neck > Neck1 > Head = head
  RightShoulder = right_clavicle > RightArm = right_shoulder > RightForeArm = right_elbow
   RightHand = right_wrist
    RightHandMiddle1 > RightHandMiddle2 > RightHandMiddle3
    RightHandRing
     RightHandRing1 > RightHandRing2 > RightHandRing3
     RightHandPinky > RightHandPinky1 > RightHandPinky2 > RightHandPinky3
    RightHandIndex
     RightHandIndex1 > RightHandIndex2 > RightHandIndex3
     RightHandThumb1 > RightHandThumb2 > RightHandThumb3
  LeftShoulder = left_clavicle > LeftArm = left_shoulder > LeftForeArm = left_elbow > LeftHand = left_wrist
   LeftHandMiddle1 > LeftHandMiddle2 > LeftHandMiddle3
   LeftHandRing
    LeftHandRing1 > LeftHandRing2 > LeftHandRing3
    LeftHandPinky > LeftHandPinky1 > LeftHandPinky2 > LeftHandPinky3
   LeftHandIndex
    LeftHandIndex1 > LeftHandIndex2 > LeftHandIndex3
    LeftHandThumb1 > LeftHandThumb2 > LeftHandThumb3
 RightUpLeg = right_hip > RightLeg = right_knee > RightFoot = right_ankle > RightForeFoot = right_toe
 LeftUpLeg = left_hip > LeftLeg = left_knee > LeftFoot = left_ankle > LeftForeFoot = left_toe
""",
    "side at either end": """
Hips = pelvis
 Chest = spine > Chest2 = chest
  Neck = neck > Head = head
  LeftShoulder = left_shoulder > LeftElbow = left_elbow > LeftWrist = left_wrist > LeftHand = left_hand
  RightShoulder = right_shoulder > RightElbow = right_elbow > RightWrist = right_wrist
   RightHand = right_hand
 HipLeft = left_hip > LeftKnee = left_knee > LeftAnkle = left_ankle > LeftFoot = left_toe
 RightHip = right_hip > RightKnee = right_knee > RightAnkle = right_ankle > RightFoot = right_toe
""",
    "acclaim, head called neck": """
pelvis = pelvis
 lfemur = left_hip > ltibia = left_knee > lfoot = left_ankle > ltoes = left_toe
 rfemur = right_hip > rtibia = right_knee > rfoot = right_ankle > rtoes = right_toe
 lowerback = spine > upperback = chest
  lclavicle = left_clavicle > lhumerus = left_shoulder > lradius = left_elbow > lhand = left_wrist
  rclavicle = right_clavicle > rhumerus = right_shoulder > rradius = right_elbow > rhand = right_wrist
  LowerNeck = neck > Neck = head
""",
    "neck below the arms": """
Hips = pelvis
 LeftHip = left_hip > LeftKnee = left_knee > LeftAnkle = left_ankle
 RightHip = right_hip > RightKnee = right_knee > RightAnkle = right_ankle
 Chest = spine
  Chest2 = chest
   LeftCollar = left_clavicle > LeftShoulder = left_shoulder > LeftElbow = left_elbow
    LeftWrist = left_wrist
   RightCollar = right_clavicle > RightShoulder = right_shoulder > RightElbow = right_elbow
    RightWrist = right_wrist
  Neck = neck > Head = head
""",
    "abdomen": """
Hips = pelvis
 Ab = spine > Chest = chest
  Neck = neck > Head = head
  LeftCollar = left_clavicle > LeftShoulder = left_shoulder > LeftElbow = left_elbow
   LeftWrist = left_wrist
  RightCollar = right_clavicle > RightShoulder = right_shoulder > RightElbow = right_elbow
   RightWrist = right_wrist
 LeftHip = left_hip > LeftKnee = left_knee > LeftAnkle = left_ankle > LeftToes = left_toe
 RightHip = right_hip > RightKnee = right_knee > RightAnkle = right_ankle > RightToes = right_toe
""",
    "hips and head": """
Hips = pelvis > Head = head
""",
    "bent rod": """
base > child1 > child2 > child3
""",
    "base and end": """
Base > End
""",
    "z up": """
Hips = pelvis
 Spine = spine > Spine1 > Spine2 > Spine3 = chest
  Neck = neck > Neck1 > Head = head
  RightShoulder = right_clavicle > RightArm = right_shoulder > RightForeArm = right_elbow
   RightHand = right_wrist
  LeftShoulder = left_clavicle > LeftArm = left_shoulder > LeftForeArm = left_elbow > LeftHand = left_wrist
 RightUpLeg = right_hip > RightLeg = right_knee > RightFoot = right_ankle > RightToeBase = right_toe
 LeftUpLeg = left_hip > LeftLeg = left_knee > LeftFoot = left_ankle > LeftToeBase = left_toe
""",
    "one leg joint": """
Hips = pelvis
 Spine = spine > Head = head
 LeftLeg = left_hip
""",
    "three trackers": """
__0
 head = head
 hand_l = left_wrist
 hand_r = right_wrist
""",
    "one acclaim leg": """
hip = pelvis > lhipjoint > lfemur = left_hip > ltibia = left_knee > lfoot = left_ankle > ltoes = left_toe
""",
    "spaces in names": """
Hip = pelvis
 Abdomen = spine > Chest = chest
  neckDummy > Neck = neck > Head = head
  Left Collar = left_clavicle > Left Shoulder = left_shoulder > Left Forearm = left_elbow
   Left Hand = left_wrist
  Right Collar = right_clavicle > Right Shoulder = right_shoulder > Right Forearm = right_elbow
   Right Hand = right_wrist
 Left Thigh = left_hip > Left Shin = left_knee > Left Foot = left_ankle
 Right Thigh = right_hip > Right Shin = right_knee > Right Foot = right_ankle
""",
    "biovision": """
Hips = pelvis
 Chest = chest
  Neck = neck > Head = head
  LeftCollar = left_clavicle > LeftUpArm = left_shoulder > LeftLowArm = left_elbow > LeftHand = left_wrist
  RightCollar = right_clavicle > RightUpArm = right_shoulder > RightLowArm = right_elbow
   RightHand = right_wrist
 LeftUpLeg = left_hip > LeftLowLeg = left_knee > LeftFoot = left_ankle
 RightUpLeg = right_hip > RightLowLeg = right_knee > RightFoot = right_ankle
""",
    "acclaim as bvh": """
hip = pelvis
 lhipjoint > lfemur = left_hip > ltibia = left_knee > lfoot = left_ankle > ltoes = left_toe
 rhipjoint > rfemur = right_hip > rtibia = right_knee > rfoot = right_ankle > rtoes = right_toe
 lowerback = spine > upperback > thorax = chest
  lowerneck = neck > upperneck > head = head
  lclavicle = left_clavicle > lhumerus = left_shoulder > lradius = left_elbow > lwrist = left_wrist
   lhand = left_hand > lfingers
   lthumb
  rclavicle = right_clavicle > rhumerus = right_shoulder > rradius = right_elbow > rwrist = right_wrist
   rhand = right_hand > rfingers
   rthumb
""",
    "root and foo": """
Root > Foo
""",
}

# Rigs that animators bring along, and some things that try the rules.
_OF_RIGS = {
    "xsens": """
Pelvis = pelvis
 L5 = spine > L3 > T12 > T8 = chest
  Neck = neck > Head = head
  RightShoulder = right_clavicle > RightUpperArm = right_shoulder > RightForeArm = right_elbow
   RightHand = right_wrist
  LeftShoulder = left_clavicle > LeftUpperArm = left_shoulder > LeftForeArm = left_elbow
   LeftHand = left_wrist
 RightUpperLeg = right_hip > RightLowerLeg = right_knee > RightFoot = right_ankle > RightToe = right_toe
 LeftUpperLeg = left_hip > LeftLowerLeg = left_knee > LeftFoot = left_ankle > LeftToe = left_toe
""",
    "unreal": """
root
 pelvis = pelvis
  spine_01 = spine > spine_02 > spine_03 = chest
   clavicle_l = left_clavicle > upperarm_l = left_shoulder
    lowerarm_l = left_elbow
     lowerarm_twist_01_l
     hand_l = left_wrist
      index_metacarpal_l > index_01_l
      thumb_01_l
    upperarm_twist_01_l
   clavicle_r = right_clavicle > upperarm_r = right_shoulder
    lowerarm_r = right_elbow
     lowerarm_twist_01_r
     hand_r = right_wrist
      index_metacarpal_r > index_01_r
      thumb_01_r
    upperarm_twist_01_r
   neck_01 = neck > head = head
  thigh_l = left_hip
   thigh_twist_01_l
   calf_l = left_knee
    calf_twist_01_l
    foot_l = left_ankle > ball_l = left_toe
  thigh_r = right_hip
   thigh_twist_01_r
   calf_r = right_knee
    calf_twist_01_r
    foot_r = right_ankle > ball_r = right_toe
 ik_foot_root
  ik_foot_l
  ik_foot_r
 ik_hand_root > ik_hand_gun
  ik_hand_l
  ik_hand_r
""",
    "rigify": """
spine = pelvis
 spine.001 = spine > spine.002 > spine.003 = chest
  spine.004 = neck > spine.005 > spine.006 = head
  shoulder.L = left_clavicle > upper_arm.L = left_shoulder > forearm.L = left_elbow > hand.L = left_wrist
   palm.01.L = left_hand > f_index.01.L
   palm.02.L > f_middle.01.L
  shoulder.R = right_clavicle > upper_arm.R = right_shoulder > forearm.R = right_elbow
   hand.R = right_wrist
    palm.01.R = right_hand > f_index.01.R
    palm.02.R > f_middle.01.R
  breast.L
  breast.R
 pelvis.L
 pelvis.R
 thigh.L = left_hip > shin.L = left_knee > foot.L = left_ankle
  toe.L = left_toe
  heel.02.L
 thigh.R = right_hip > shin.R = right_knee > foot.R = right_ankle
  toe.R = right_toe
  heel.02.R
""",
    "3ds max biped": """
Bip01
 Bip01 Footsteps
 Bip01 Pelvis = pelvis > Bip01 Spine = spine
  Bip01 Spine1 > Bip01 Spine2 = chest > Bip01 Neck = neck
   Bip01 Head = head > Bip01 HeadNub
   Bip01 L Clavicle = left_clavicle > Bip01 L UpperArm = left_shoulder > Bip01 L Forearm = left_elbow
    Bip01 L Hand = left_wrist > Bip01 L Finger0
   Bip01 R Clavicle = right_clavicle > Bip01 R UpperArm = right_shoulder > Bip01 R Forearm = right_elbow
    Bip01 R Hand = right_wrist > Bip01 R Finger0
  Bip01 L Thigh = left_hip > Bip01 L Calf = left_knee > Bip01 L Foot = left_ankle
   Bip01 L Toe0 = left_toe > Bip01 L Toe0Nub
  Bip01 R Thigh = right_hip > Bip01 R Calf = right_knee > Bip01 R Foot = right_ankle
   Bip01 R Toe0 = right_toe > Bip01 R Toe0Nub
""",
    "smpl": """
Pelvis = pelvis
 L_Hip = left_hip > L_Knee = left_knee > L_Ankle = left_ankle > L_Foot = left_toe
 R_Hip = right_hip > R_Knee = right_knee > R_Ankle = right_ankle > R_Foot = right_toe
 Spine1 = spine > Spine2 > Spine3 = chest
  Neck = neck > Head = head
  L_Collar = left_clavicle > L_Shoulder = left_shoulder > L_Elbow = left_elbow > L_Wrist = left_wrist
   L_Hand = left_hand
  R_Collar = right_clavicle > R_Shoulder = right_shoulder > R_Elbow = right_elbow > R_Wrist = right_wrist
   R_Hand = right_hand
""",
    "cmu asf": """
root = pelvis
 lhipjoint > lfemur = left_hip > ltibia = left_knee > lfoot = left_ankle > ltoes = left_toe
 rhipjoint > rfemur = right_hip > rtibia = right_knee > rfoot = right_ankle > rtoes = right_toe
 lowerback = spine > upperback > thorax = chest
  lowerneck = neck > upperneck > head = head
  lclavicle = left_clavicle > lhumerus = left_shoulder > lradius = left_elbow > lwrist = left_wrist
   lhand = left_hand > lfingers
   lthumb
  rclavicle = right_clavicle > rhumerus = right_shoulder > rradius = right_elbow > rwrist = right_wrist
   rhand = right_hand > rfingers
   rthumb
""",
    "acclaim with numbered connectors": """
root > hips = pelvis
 hips1 > chest = chest
  chest1 > neck = neck > head = head
  chest2 > leftcollar = left_clavicle > leftuparm = left_shoulder > leftlowarm = left_elbow
   lefthand = left_wrist
  chest3 > rightcollar = right_clavicle > rightuparm = right_shoulder > rightlowarm = right_elbow
   righthand = right_wrist
 hips2 > leftupleg = left_hip > leftlowleg = left_knee > leftfoot = left_ankle
 hips3 > rightupleg = right_hip > rightlowleg = right_knee > rightfoot = right_ankle
""",
    "acclaim with dummies": """
root = pelvis
 LeftUpLeg_dum > LeftUpLeg = left_hip > LeftLeg = left_knee > LeftFoot = left_ankle > LeftToeBase = left_toe
 RightUpLeg_dum > RightUpLeg = right_hip > RightLeg = right_knee > RightFoot = right_ankle
  RightToeBase = right_toe
 Spine_dum > Spine = spine > Spine1 = chest
  Spine1_dum1 > Neck = neck > Head = head
  Spine1_dum2 > LeftShoulder = left_clavicle > LeftArm = left_shoulder > LeftForeArm = left_elbow
   LeftHand = left_wrist
    LeftHand_dum1 > LeftHandThumb
    LeftHand_dum2
  Spine1_dum3 > RightShoulder = right_clavicle > RightArm = right_shoulder > RightForeArm = right_elbow
   RightHand = right_wrist
    RightHand_dum1 > RightHandThumb
    RightHand_dum2
""",
    "vroid": """
Root > J_Bip_C_Hips = pelvis
 J_Bip_C_Spine = spine > J_Bip_C_Chest > J_Bip_C_UpperChest = chest
  J_Bip_C_Neck = neck > J_Bip_C_Head = head
   J_Adj_L_FaceEye
   J_Adj_R_FaceEye
  J_Sec_L_Bust1
  J_Sec_R_Bust1
  J_Bip_L_Shoulder = left_clavicle > J_Bip_L_UpperArm = left_shoulder > J_Bip_L_LowerArm = left_elbow
   J_Bip_L_Hand = left_wrist > J_Bip_L_Index1
  J_Bip_R_Shoulder = right_clavicle > J_Bip_R_UpperArm = right_shoulder > J_Bip_R_LowerArm = right_elbow
   J_Bip_R_Hand = right_wrist > J_Bip_R_Index1
 J_Bip_L_UpperLeg = left_hip > J_Bip_L_LowerLeg = left_knee > J_Bip_L_Foot = left_ankle
  J_Bip_L_ToeBase = left_toe
 J_Bip_R_UpperLeg = right_hip > J_Bip_R_LowerLeg = right_knee > J_Bip_R_Foot = right_ankle
  J_Bip_R_ToeBase = right_toe
""",
    "optitrack": """
Hip = pelvis
 Ab = spine > Chest = chest
  Neck = neck > Head = head
  LShoulder = left_clavicle > LUArm = left_shoulder > LFArm = left_elbow > LHand = left_wrist
  RShoulder = right_clavicle > RUArm = right_shoulder > RFArm = right_elbow > RHand = right_wrist
 LThigh = left_hip > LShin = left_knee > LFoot = left_ankle > LToe = left_toe
 RThigh = right_hip > RShin = right_knee > RFoot = right_ankle > RToe = right_toe
""",
    "kinect 2": """
SpineBase = pelvis
 SpineMid = spine > SpineShoulder = chest
  Neck = neck > Head = head
  ShoulderLeft = left_shoulder > ElbowLeft = left_elbow > WristLeft = left_wrist
   HandLeft = left_hand > HandTipLeft
   ThumbLeft
  ShoulderRight = right_shoulder > ElbowRight = right_elbow > WristRight = right_wrist
   HandRight = right_hand > HandTipRight
   ThumbRight
 HipLeft = left_hip > KneeLeft = left_knee > AnkleLeft = left_ankle > FootLeft = left_toe
 HipRight = right_hip > KneeRight = right_knee > AnkleRight = right_ankle > FootRight = right_toe
""",
    "daz": """
hip
 pelvis = pelvis
  lThighBend = left_hip > lThighTwist > lShin = left_knee > lFoot = left_ankle > lMetatarsals
   lToe = left_toe > lBigToe
  rThighBend = right_hip > rThighTwist > rShin = right_knee > rFoot = right_ankle > rMetatarsals
   rToe = right_toe > rBigToe
 abdomenLower = spine > abdomenUpper > chestLower > chestUpper = chest
  lCollar = left_clavicle > lShldrBend = left_shoulder > lShldrTwist > lForearmBend = left_elbow
   lForearmTwist > lHand = left_wrist > lThumb1
  rCollar = right_clavicle > rShldrBend = right_shoulder > rShldrTwist > rForearmBend = right_elbow
   rForearmTwist > rHand = right_wrist > rThumb1
  neckLower = neck > neckUpper > head = head
   lEye
   rEye
""",
    "advanced skeleton": """
Root_M = pelvis
 Hip_R = right_hip > HipPart1_R > Knee_R = right_knee > Ankle_R = right_ankle > Toes_R = right_toe
  ToesEnd_R
 Hip_L = left_hip > HipPart1_L > Knee_L = left_knee > Ankle_L = left_ankle > Toes_L = left_toe > ToesEnd_L
 Spine1_M = spine > Spine1Part1_M > Chest_M = chest
  Scapula_R = right_clavicle > Shoulder_R = right_shoulder > ShoulderPart1_R > Elbow_R = right_elbow
   Wrist_R = right_wrist > MiddleFinger1_R
  Scapula_L = left_clavicle > Shoulder_L = left_shoulder > ShoulderPart1_L > Elbow_L = left_elbow
   Wrist_L = left_wrist > MiddleFinger1_L
  Neck_M = neck > NeckPart1_M > Head_M = head > Jaw_M
""",
    "sides on the first joint only": """
Root > Waist = pelvis
 LegLeft = left_hip > Knee = left_knee > Ankle = left_ankle
 LegRight = right_hip > Knee = right_knee > Ankle = right_ankle
 Torso = chest
  ArmLeft = left_shoulder > Elbow = left_elbow > Wrist = left_wrist
  ArmRight = right_shoulder > Elbow = right_elbow > Wrist = right_wrist
  Head = head
""",
    "upper body only": """
Torso = chest
 Neck = neck > Head = head
 LeftUpperArm = left_shoulder > LeftForearm = left_elbow > LeftHand = left_wrist
 RightUpperArm = right_shoulder > RightForearm = right_elbow > RightHand = right_wrist
""",
    "rooted in the chest": """
Chest = chest
 Neck = neck > Head = head
 LeftArm = left_shoulder > LeftElbow = left_elbow > LeftHand = left_wrist
 RightArm = right_shoulder > RightElbow = right_elbow > RightHand = right_wrist
 Spine = spine > Pelvis = pelvis
  LeftThigh = left_hip > LeftShin = left_knee > LeftFoot = left_ankle
  RightThigh = right_hip > RightShin = right_knee > RightFoot = right_ankle
""",
    "lone left arm": """
Bip01 L UpperArm = left_shoulder > Bip01 L Forearm = left_elbow > Bip01 L Hand = left_wrist
""",
    "crane": """
base > turntable > boom > jib > hook
""",
    "guitar": """
body > neck > headstock
""",
}

OF_FILES = {key: read_outline(text) for key, text in _OF_FILES.items()}
SKELETONS = OF_FILES | {key: read_outline(text) for key, text in _OF_RIGS.items()}
