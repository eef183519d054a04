import { answerOf, type components, type MusterClient } from '@muster/client'
import { chooseOne, isSameName, similarTo } from './choose.ts'

export type Principal = components['schemas']['LocalPrincipalDto']

/** Finds a local principal by its description or client ID. */
export async function findPrincipal(client: MusterClient, name: string): Promise<Principal> {
  const principals = await answerOf(client.GET('/api/admin/local-principals'))
  const found = principals.filter((one) => isSameName(one.description, name) || one.clientId === name)
  return chooseOne(
    found,
    'principal',
    name,
    (one) => `${one.clientId}  ${one.description ?? ''}`,
    () =>
      similarTo(
        name,
        principals.map((one) => one.description ?? one.clientId),
      ),
  )
}
