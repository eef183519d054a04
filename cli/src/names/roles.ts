import { answerOf, type components, type MusterClient } from '@muster/client'
import { UsageError } from '../errors.ts'
import { chooseOne, isSameName, similarTo } from './choose.ts'

export type Role = components['schemas']['Role']
export type DescribedRole = components['schemas']['RoleDto']

export const listRoles = (client: MusterClient): Promise<DescribedRole[]> => answerOf(client.GET('/api/admin/roles'))

/** The roles with these names. The service may know more of them than this command. */
export async function findRoles(client: MusterClient, names: readonly string[]): Promise<Role[]> {
  return chooseRoles(await listRoles(client), names)
}

export function chooseRoles(roles: readonly DescribedRole[], names: readonly string[]): Role[] {
  if (names.length === 0) throw new UsageError('Name a role.')
  const known = roles.map(({ role }) => role)
  return names.map((name) =>
    chooseOne(
      known.filter((one) => isSameName(one, name)),
      'role',
      name,
      (one) => one,
      () => similarTo(name, known),
    ),
  ) as Role[]
}
