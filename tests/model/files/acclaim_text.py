"""Acclaim files as text, small and made to measure."""

ASF = """\
# a small skeleton
:version 1.10
:name Small
:units
  mass 1.0
  length 2.54
  angle deg
:documentation
  made for tests
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name hip
    direction 1 0 0
    length 10
    axis 0 0 0 XYZ
  end
  begin
    id 2
    name thigh
    direction 0 -1 0
    length 40
    axis 0 0 20 XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (-70.0 70.0)
           (-60.0 70.0)
  end
  begin
    id 3
    name shin
    direction 0 -1 0
    length 38
    axis 30 0 20 XYZ
    dof rx
    limits (-10.0 170.0)
  end
  begin
    id 4
    name back
    direction 0 1 0
    length 50
    axis 10 20 30 XYZ
    dof rx rz
    limits (-45.0 45.0)
           (-inf inf)
  end
:hierarchy
  begin
    root hip back
    hip thigh
    thigh shin
  end
"""

AMC = """\
#!OML:ASF small.ASF
:FULLY-SPECIFIED
:DEGREES
1
root 1 90 2 10 20 30
thigh 5 6 7
shin 40
back 1.5 -2
2
root 1.5 91 2.5 11 21 31
thigh -5 370 7
shin 41
back 2.5 -3
3
root 2 92 3 12 22 32
thigh 0 0 0
shin 0
back 0 1e-14
"""

HEAD, FRAMES = AMC.split(":DEGREES\n")
HEAD += ":DEGREES\n"
