import { expect, test } from 'vitest'
import { findReasonAgainstFolder } from '../../src/platform/windows/folder-owner.ts'

const path = 'C:\\ProgramData\\Muster'
const system = 'S-1-5-18'
const administrators = 'S-1-5-32-544'
const user = 'S-1-5-21-1004336348-1177238915-682003330-1103'

test.each([
  ['the system', { isFolder: true, owner: system, ownAccount: system }],
  ['the administrators', { isFolder: true, owner: administrators, ownAccount: system }],
  ['the account of the agent itself', { isFolder: true, owner: user, ownAccount: user }],
])('a folder of %s can be the state folder', (_, found) => {
  expect(findReasonAgainstFolder(path, found)).toBeUndefined()
})

test.each([
  ['a user', { isFolder: true, owner: user, ownAccount: system }, `${path} belongs to the account ${user}`],
  ['a service', { isFolder: true, owner: 'S-1-5-20', ownAccount: system }, 'belongs to the account S-1-5-20'],
])('a folder that %s has created is refused', (_, found, reason) => {
  expect(findReasonAgainstFolder(path, found)).toContain(reason)
})

test('a file or a link in the place of the state folder is refused by every owner', () => {
  expect(findReasonAgainstFolder(path, { isFolder: false, owner: system, ownAccount: system })).toContain(
    'not a folder',
  )
})
