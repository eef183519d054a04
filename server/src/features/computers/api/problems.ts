import { problem } from '../../../platform/problem.ts'

export const duplicateComputerName = problem('DuplicateName', 409, 'Another computer has this name in this domain.', {
  constraint: 'computers_name_domain_key',
})

export const duplicateMacAddress = problem('DuplicateMac', 409, 'Another computer has this MAC address.', {
  constraint: 'computers_mac_key_key',
})

export const masterServerNotDeletable = problem('MasterServer', 409, 'The master server cannot be deleted.')

export const computerInGroups = problem(
  'Assigned',
  409,
  'The computer is a member of a group, or groups have it in their list of depots. Repeat the request with force=true to delete it anyway.',
)
