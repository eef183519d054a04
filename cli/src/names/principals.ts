import { answerOf, type components, type MusterClient } from '@muster/client'
import { chooseOne, isSameName, similarTo } from './choose.ts'

export type Principal = components['schemas']['LocalPrincipalDto']
export type IdentityPrincipal = components['schemas']['PrincipalDto']
export type AnyPrincipal = { local: Principal } | { identity: IdentityPrincipal }

const listLocal = (client: MusterClient) => answerOf(client.GET('/api/admin/local-principals'))

/** Finds a local principal by its description or client ID. */
export async function findPrincipal(client: MusterClient, name: string): Promise<Principal> {
  const { local } = choosePrincipal((await listLocal(client)).map(asLocal), name)
  return local
}

/** Finds a local principal, or one of an identity provider by its display name or subject ID. */
export async function findAnyPrincipal(client: MusterClient, name: string): Promise<AnyPrincipal> {
  return choosePrincipal(await listAnyPrincipals(client), name)
}

export async function listAnyPrincipals(client: MusterClient): Promise<AnyPrincipal[]> {
  const [local, identity] = await Promise.all([listLocal(client), answerOf(client.GET('/api/admin/principals'))])
  return [...local.map(asLocal), ...identity.map((one) => ({ identity: one }))]
}

const asLocal = (local: Principal) => ({ local })

/** What a person calls the principal. */
export const principalName = (one: AnyPrincipal): string =>
  'local' in one ? one.local.description || one.local.clientId : one.identity.displayName || one.identity.subjectId

const identifierOf = (one: AnyPrincipal) => ('local' in one ? one.local.clientId : one.identity.subjectId)

function choosePrincipal<T extends AnyPrincipal>(principals: readonly T[], name: string): T {
  return chooseOne(
    principals.filter((one) => isSameName(principalName(one), name) || identifierOf(one) === name),
    'principal',
    name,
    (one) => `${identifierOf(one)}  ${principalName(one)}`,
    () => similarTo(name, principals.map(principalName)),
  )
}
