import { expect, test } from 'vitest'
import { findReasonAgainstFolder, isOpenToOthers } from '../../src/platform/windows/folder-owner.ts'

const path = 'C:\\ProgramData\\Muster'
const system = 'S-1-5-18'
const administrators = 'S-1-5-32-544'
const user = 'S-1-5-21-1004336348-1177238915-682003330-1103'

test.each([
  ['the system', { isFolder: true, owner: system, ownAccount: system, hasForeignContent: false }],
  ['the administrators', { isFolder: true, owner: administrators, ownAccount: system, hasForeignContent: false }],
  ['the account of the agent itself', { isFolder: true, owner: user, ownAccount: user, hasForeignContent: false }],
])('a folder of %s can be the state folder', (_, found) => {
  expect(findReasonAgainstFolder(path, found)).toBeUndefined()
})

test.each([
  [
    'a user',
    { isFolder: true, owner: user, ownAccount: system, hasForeignContent: false },
    `${path} belongs to the account ${user}`,
  ],
  [
    'a service',
    { isFolder: true, owner: 'S-1-5-20', ownAccount: system, hasForeignContent: false },
    'belongs to the account S-1-5-20',
  ],
])('a folder that %s has created is refused', (_, found, reason) => {
  expect(findReasonAgainstFolder(path, found)).toContain(reason)
})

test('a file or a link in the place of the state folder is refused by every owner', () => {
  expect(
    findReasonAgainstFolder(path, { isFolder: false, owner: system, ownAccount: system, hasForeignContent: false }),
  ).toContain('not a folder')
})

test('a folder to which others could write is refused unless it is empty', () => {
  const found = { isFolder: true, owner: administrators, ownAccount: system }

  expect(findReasonAgainstFolder(path, { ...found, hasForeignContent: true })).toContain('open to other accounts')
  expect(findReasonAgainstFolder(path, { ...found, hasForeignContent: false })).toBeUndefined()
})

test.each([
  ['of the agent', 'D:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)', false],
  ['of an agent that runs in the account of a user', `D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;${user})`, false],
  [
    'that a folder of %ProgramData% inherits',
    'D:AI(A;OICIID;FA;;;SY)(A;OICIID;0x1200a9;;;BU)(A;CIID;DCLCRPCR;;;BU)',
    true,
  ],
  ['with which others can read', 'D:(A;OICI;FA;;;SY)(A;;0x1200a9;;;WD)(A;;FRFX;;;BU)', false],
  ['with which others can create files', 'D:(A;OICI;FA;;;SY)(A;CI;0x1200ab;;;WD)', true],
  ['for everybody', 'D:(A;OICI;FA;;;SY)(A;;FA;;;WD)', true],
  ['of another account', 'D:P(A;OICI;FA;;;SY)(A;;FA;;;S-1-5-21-1-2-3-500)', true],
  ['that deny something', 'D:P(D;;FA;;;WD)(A;OICI;FA;;;SY)', false],
  ['with a condition', 'D:P(A;OICI;FA;;;SY)(XA;;FW;;;WD;(Member_of {SID(BU)}))', true],
  ['that do not exist', 'D:NO_ACCESS_CONTROL', true],
])('permissions %s are recognised', (_, sddl, isOpen) => {
  expect(isOpenToOthers(sddl, user)).toBe(isOpen)
})
