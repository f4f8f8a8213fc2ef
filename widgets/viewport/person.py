"""What a person looks like: trunk, limbs, hands, feet and a head about the joints that have roles.

Thicknesses are those of a person of 1.75 m, scaled by the legs. Bones without a role get plain capsules, so anything
that has joints can be seen.
"""

import numpy as np

from model.arrays import Array
from model.roles import Role
from widgets.viewport.modelling import CENTRE, SHORTEST_M, Anchor, Modeller, Part, Profile, Stretch, ancestors, unit

_TRUNK: Profile = (
    (0.0, 0.142, 0.098), (0.28, 0.124, 0.090), (0.62, 0.148, 0.110), (0.82, 0.152, 0.102), (0.93, 0.122, 0.084),
    (1.0, 0.072, 0.060),
)  # fmt: skip
_NECK: Profile = ((0.0, 0.060, 0.058), (0.5, 0.048, 0.050), (1.0, 0.047, 0.050))
_TRAPEZIUS: Profile = ((0.0, 0.050, 0.050), (1.0, 0.047, 0.047))
_UPPER_ARM: Profile = ((0.0, 0.053, 0.055), (0.35, 0.046, 0.050), (1.0, 0.036, 0.038))
_FOREARM: Profile = ((0.0, 0.037, 0.039), (0.25, 0.039, 0.042), (1.0, 0.025, 0.025))
_THIGH: Profile = ((0.0, 0.082, 0.088), (0.3, 0.076, 0.083), (1.0, 0.050, 0.054))
_SHANK: Profile = ((0.0, 0.049, 0.053), (0.28, 0.050, 0.058), (1.0, 0.032, 0.036))
_HIPS_M = 0.088
_HIPS_UNDER_M = 0.06  # how far the hips mostly are under the joint of the pelvis
_FINGER_M = 0.0085
_ENDS = (Role.LEFT_WRIST, Role.RIGHT_WRIST, Role.LEFT_ANKLE, Role.RIGHT_ANKLE)
_CROWN_M = 0.19  # from the joint of the head to the crown


class Person(Modeller):
    """Models a body after a person."""

    def parts(self) -> list[Part]:
        self._trunk()
        for side in ("LEFT", "RIGHT"):
            self._limb(side, ("HIP", "KNEE"), _THIGH)
            self._limb(side, ("KNEE", "ANKLE"), _SHANK)
            self._limb(side, ("SHOULDER", "ELBOW"), _UPPER_ARM)
            self._limb(side, ("ELBOW", "WRIST"), _FOREARM)
            self._foot(side)
            self._hand(side)
        self._head()
        self._others()
        return self.made

    def _trunk(self) -> None:
        skeleton, across = self.skeleton, self.across(upper=False)
        pelvis = skeleton.joint(Role.PELVIS)
        top = next((j for r in (Role.NECK, Role.CHEST, Role.SPINE) if (j := skeleton.joint(r)) is not None), None)
        if pelvis is None or across is None:
            return
        # What is above the pelvis only says where the body is.
        self.drawn.update((pelvis, *ancestors(skeleton, pelvis)))
        if top is not None and top != pelvis:
            up = unit(self.local(pelvis, self.at(top) - self.at(pelvis)))
            bones = self.bones(self._spine(pelvis, top))
            stretches = self._down_to_hips(pelvis, up) + bones + self._up_to_shoulders(pelvis, top)
            self.along(stretches, _TRUNK, self.local(pelvis, across), pelvis, CENTRE)
        hips = [self.joint(side, "HIP") for side in ("RIGHT", "LEFT")]
        right, left = hips
        if left is not None and right is not None:
            ends = [self.local(pelvis, self.at(hip) - self.at(pelvis)) for hip in (right, left)]
            inward = 0.12 * (ends[1] - ends[0])
            self.rigid(pelvis, ends[0] + inward, ends[1] - inward, np.zeros(3), (_HIPS_M,) * 4)
            for hip in (right, left):
                self.cover(pelvis, hip)
        for side in ("LEFT", "RIGHT"):
            self._shoulder(side, top)

    def _spine(self, pelvis: int, top: int) -> list[int]:
        """The joints from the pelvis up, also where spine and pelvis hang beside each other."""
        if pelvis in ancestors(self.skeleton, top):
            return list(self.skeleton.chain(pelvis, top))
        return [pelvis, *self.skeleton.chain(self.meeting(pelvis, top), top)[1:]]

    def _down_to_hips(self, pelvis: int, up: Array) -> list[Stretch]:
        """What is missing of a trunk whose lowest joint is far above the hips. up : (3,) as the pelvis sees it."""
        left, right = self.joint("LEFT", "HIP"), self.joint("RIGHT", "HIP")
        if left is None or right is None:
            return []
        middle = self.local(pelvis, 0.5 * (self.at(left) + self.at(right)) - self.at(pelvis))
        missing = float(-middle @ up) - _HIPS_UNDER_M * self.scale
        if missing < 0.5 * _HIPS_UNDER_M * self.scale:
            return []
        start = middle + _HIPS_UNDER_M * self.scale * up
        return [Stretch(Anchor(pelvis, pelvis, 0.0, start), Anchor(pelvis, pelvis, 0.0, np.zeros(3)), _size(start))]

    def _up_to_shoulders(self, pelvis: int, top: int) -> list[Stretch]:
        """What is missing of a trunk whose shoulders are higher than the root of the neck."""
        left, right = self.joint("LEFT", "SHOULDER"), self.joint("RIGHT", "SHOULDER")
        chest = self.skeleton.parents[top]
        if left is None or right is None or chest < 0:
            return []
        start = self.local(chest, self.at(top) - self.at(chest))
        up = unit(self.local(chest, self.at(top) - self.at(pelvis)))
        missing = float((self.local(chest, 0.5 * (self.at(left) + self.at(right)) - self.at(chest)) - start) @ up)
        if missing < 0.02 * self.scale:
            return []
        ends = [Anchor(chest, chest, 0.0, offset) for offset in (start, start + missing * up)]
        return [Stretch(ends[0], ends[1], missing)]

    def _shoulder(self, side: str, top: int | None) -> None:
        """From the root of the neck out to the shoulder."""
        shoulder = self.joint(side, "SHOULDER")
        if shoulder is None or top is None:
            return
        carrier = self.joint(side, "CLAVICLE")
        if carrier is None:
            carrier = self.skeleton.parents[shoulder]
        self.cover(self.meeting(carrier, top), shoulder)
        if self.length(top, shoulder) < SHORTEST_M:
            return
        inner = self.local(carrier, self.at(top) - self.at(carrier) + 0.25 * (self.at(shoulder) - self.at(top)))
        (_, *start), (_, *end) = _TRAPEZIUS
        self.add(
            carrier, Anchor(carrier, carrier, 0.0, inner), Anchor(carrier, shoulder, 0.94, 0.06 * inner), np.zeros(3),
            (*start, *end), CENTRE,
        )  # fmt: skip

    def _limb(self, side: str, parts: tuple[str, str], profile: Profile) -> None:
        upper, lower = (self.joint(side, part) for part in parts)
        if upper is None or lower is None or upper not in ancestors(self.skeleton, lower):
            return
        across = self.across(upper="ELBOW" in parts)
        lateral = np.zeros(3) if across is None else self.local(upper, across)
        self.along(self.bones(self.skeleton.chain(upper, lower)), profile, lateral, upper, int(self.paints[upper]))

    def _foot(self, side: str) -> None:
        ankle, toe, knee = (self.joint(side, part) for part in ("ANKLE", "TOE", "KNEE"))
        if ankle is None or knee is None:
            return
        k = self.scale
        ball = None if toe is None else self.local(ankle, self.at(toe) - self.at(ankle))
        if ball is None or np.linalg.norm(ball) < 0.02 * k:
            ball = self.tip(ankle)
            ball = None if ball is None or np.linalg.norm(ball) < 0.02 * k else 0.68 * np.asarray(ball)
        up = self._sole_normal(ankle, self.local(ankle, self.at(knee) - self.at(ankle)))
        if ball is None:
            across = self.across(upper=False)
            if across is None:
                return
            ball = 0.13 * k * unit(np.cross(self.local(ankle, across), up)) - 0.06 * k * up
        forward = unit(ball - up * (ball @ up))
        lateral = np.cross(up, forward)
        height = min(max(float(-ball @ up) + 0.016 * k, 0.04 * k), 0.11 * k)  # of the ankle over the sole
        heel = -up * (height - 0.03 * k) - forward * 0.034 * k
        paint = int(self.paints[ankle])
        self.rigid(ankle, heel, ball, lateral, (0.031, 0.030, 0.043, 0.018))
        self.rigid(ankle, np.zeros(3), 0.62 * ball, lateral, (0.033, 0.037, 0.036, 0.024))
        if toe is None:
            self.rigid(ankle, ball, ball + 0.06 * k * forward, lateral, (0.043, 0.018, 0.034, 0.011))
        else:
            self.cover(ankle, toe)
            ahead, beside, above = (self.local(toe, self.turned(ankle, one)) for one in (forward, lateral, up))
            tip = self.tip(toe)
            tip = 0.06 * k * ahead if tip is None or not tip @ ahead > max(0.02 * k, 0.5 * _size(tip)) else tip
            self.rigid(toe, np.zeros(3), tip - 0.004 * k * above, beside, (0.043, 0.018, 0.033, 0.012), paint)
            self.tipped.add(toe)
        self.tipped.add(ankle)

    def _sole_normal(self, ankle: int, shin: Array) -> Array:
        """(3,) what is up for a foot that stands flat, in the ankle's frame: the world's up while it is lowest."""
        heights = self.at(ankle)[:, 1]
        low = np.argsort(heights, kind="stable")[: max(len(heights) // 4, 1)]
        up = self.local(ankle, np.array([0.0, 1.0, 0.0]), low)
        shin = unit(shin)
        return unit(up) if unit(up) @ shin > 0.6 else shin

    def _hand(self, side: str) -> None:
        wrist, elbow, hand = (self.joint(side, part) for part in ("WRIST", "ELBOW", "HAND"))
        if wrist is None or elbow is None:
            return
        k, skeleton = self.scale, self.skeleton
        below = [joint for joint in skeleton.subtree(wrist) if joint != wrist]
        fingers = len(below) > 6
        along = self._hand_direction(wrist, elbow, hand)
        flat = self._hand_side(wrist, elbow, along, below, hand)
        palm = (0.088 if fingers else 0.095) * k
        self.rigid(wrist, np.zeros(3), palm * along, flat, (0.026, 0.020, 0.040, 0.014))
        if fingers:
            return
        if hand is not None and self.length(wrist, hand) > 0.03 * k:
            ahead, beside = (self.local(hand, self.turned(wrist, one)) for one in (along, flat))
            start = self.local(hand, self.at(wrist) - self.at(hand)) + palm * ahead
            self.rigid(hand, start, start + 0.075 * k * ahead, beside, (0.039, 0.014, 0.027, 0.009))
        else:
            self.rigid(wrist, palm * along, (palm + 0.075 * k) * along, flat, (0.039, 0.014, 0.027, 0.009))
        # What is left of the rig's hand lies inside; a thumb stays.
        thumb = [joint for joint in below if self._is_thumb(joint, wrist, hand)]
        self.drawn.update(joint for joint in below if joint not in thumb)
        self.tipped.update({wrist, *below}.difference(thumb))

    def _is_thumb(self, joint: int, wrist: int, hand: int | None) -> bool:
        """Whether a joint hangs beside the hand's own chain."""
        chain = () if hand is None else self.skeleton.subtree(hand)
        return joint not in chain and joint != hand and self.length(wrist, joint) > SHORTEST_M

    def _hand_direction(self, wrist: int, elbow: int, hand: int | None) -> Array:
        """(3,) from the wrist to the fingers, in the wrist's frame."""
        if hand is not None and self.length(wrist, hand) > 0.01 * self.scale:
            return unit(self.local(wrist, self.at(hand) - self.at(wrist)))
        tip = self.tip(wrist)
        if tip is not None and np.linalg.norm(tip) > 0.01 * self.scale:
            return unit(np.asarray(tip))
        return unit(self.local(wrist, self.at(wrist) - self.at(elbow)))

    def _hand_side(self, wrist: int, elbow: int, along: Array, below: list[int], hand: int | None) -> Array:
        """(3,) towards the thumb, in the wrist's frame: where there is none, the way the elbow bends."""
        beside = [joint for joint in below if joint != hand and self.length(wrist, joint) > 0.02 * self.scale]
        spread = [self.local(wrist, self.at(joint) - self.at(wrist)) for joint in beside]
        spread = [one - along * (one @ along) for one in spread]
        widest = max(spread, key=lambda one: float(one @ one), default=np.zeros(3))
        if np.linalg.norm(widest) > 0.012 * self.scale:
            return unit(widest)
        shoulder = next((j for j in ancestors(self.skeleton, elbow) if self.skeleton.roles[j] is not None), None)
        if shoulder is None:
            return np.zeros(3)
        upper, lower = self.at(elbow) - self.at(shoulder), self.at(wrist) - self.at(elbow)
        bend = self.local(wrist, np.cross(upper, lower))
        return unit(np.cross(bend, along)) if np.linalg.norm(bend) > 1e-4 else np.zeros(3)

    def _head(self) -> None:
        skeleton, k = self.skeleton, self.scale
        neck, head = skeleton.joint(Role.NECK), skeleton.joint(Role.HEAD)
        across = self.across(upper=True)
        if head is None or across is None:
            return
        if neck is not None and neck in ancestors(skeleton, head):
            self.along(self.bones(skeleton.chain(neck, head)), _NECK, self.local(neck, across), neck, CENTRE)
        tip = self.tip(head)
        below = neck if neck is not None else skeleton.parents[head]
        up = unit(self.local(head, self.at(head) - self.at(max(below, 0))))
        # Some rigs have the crown anywhere: it is believed where it is about over the neck.
        if tip is not None and tip @ up > max(0.04 * k, 0.5 * _size(tip)):
            up = unit(tip)
        left = self.local(head, across)
        left = unit(left - up * (left @ up))
        ahead = np.cross(left, up)

        # Rigs differ in where in the head its joint is; where they say how far it is to the crown, that counts.
        sunk = 0.0 if tip is None else min(max(float(np.linalg.norm(tip)) / k - _CROWN_M, -0.10), 0.0)

        def place(over: float, before: float) -> Array:
            return np.asarray(k * ((over + sunk) * up + before * ahead))

        self.rigid(head, place(0.100, -0.006), place(0.126, -0.004), left, (0.073, 0.086, 0.072, 0.086))
        self.rigid(head, place(0.104, 0.022), place(0.026, 0.050), left, (0.066, 0.072, 0.040, 0.040))
        self.rigid(head, place(0.092, 0.090), place(0.066, 0.104), left, (0.008, 0.008, 0.014, 0.012))
        self.rigid(head, place(-0.020, -0.006), place(0.060, 0.002), left, (0.048, 0.050, 0.049, 0.052))
        inside = [joint for joint in skeleton.subtree(head) if self.length(head, joint) < 0.25 * k]
        self.drawn.update(joint for joint in inside if joint != head)
        self.tipped.update(inside)

    def _others(self) -> None:
        """Plain capsules for the bones that nothing stands for yet."""
        skeleton, k = self.skeleton, self.scale
        wrists = [joint for side in ("LEFT", "RIGHT") if (joint := self.joint(side, "WRIST")) is not None]
        in_hands = {joint for wrist in wrists for joint in skeleton.subtree(wrist)}

        def radius(joint: int, length: float) -> float:
            return _FINGER_M if joint in in_hands else min(max(0.11 * length / k, 0.008), 0.045)

        stray = self._stray()
        for joint, parent in enumerate(skeleton.parents):
            if parent < 0 or joint in self.drawn or joint in stray:
                continue
            if (length := self.length(parent, joint)) < SHORTEST_M:
                continue
            ends = [Anchor(parent, joint, part, np.zeros(3)) for part in (0.0, 1.0)]
            self.add(parent, ends[0], ends[1], np.zeros(3), (radius(joint, length),) * 4, int(self.paints[joint]))
        for site in skeleton.end_sites:
            length = float(np.linalg.norm(site.offset))
            if site.joint not in self.tipped and site.joint not in stray and length >= SHORTEST_M:
                size = 0.9 * radius(site.joint, length)
                self.rigid(site.joint, np.zeros(3), np.asarray(site.offset), np.zeros(3), (size,) * 4)
        if not self.made:  # a lone joint, or all in one place
            for root in skeleton.roots:
                self.rigid(root, np.zeros(3), np.array([0.0, 0.02 * k, 0.0]), np.zeros(3), (0.03,) * 4)

    def _stray(self) -> set[int]:
        """Lone joints beside the limbs and trunk of a person: helpers of the rig, and nothing that a person has."""
        skeleton = self.skeleton
        if self.across(upper=False) is None:
            return set()
        ends = [joint for role in _ENDS if (joint := skeleton.joint(role)) is not None]
        kept = {joint for end in ends for joint in skeleton.subtree(end)}
        lone = set(range(len(skeleton))).difference(skeleton.parents, kept)
        return {joint for joint in lone if skeleton.roles[joint] is None and self._hangs_on_a_person(joint)}

    def _hangs_on_a_person(self, joint: int) -> bool:
        """Whether its parent is of the body, not of a tail or of something else that the rig has."""
        parent = self.skeleton.parents[joint]
        return parent >= 0 and (parent in self.drawn or self.skeleton.roles[parent] is not None)


def _size(vector: Array) -> float:
    return float(np.linalg.norm(vector))
