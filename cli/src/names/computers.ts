import { answerOf, type components, type MusterClient, pagesOf } from '@muster/client'
import { UsageError } from '../errors.ts'
import { chooseOne, isSameName, searchList } from './choose.ts'

export type Computer = components['schemas']['Computer']

export const fullName = ({ hostname, domain }: { hostname: string; domain: string | null }) =>
  domain ? `${hostname}.${domain}` : hostname

/** Finds a computer by its name, its name with domain, or `#` and its id. */
export async function findComputer(client: MusterClient, name: string): Promise<Computer> {
  const id = /^#(\d+)$/.exec(name)?.[1]
  if (id !== undefined) return answerOf(client.GET('/api/computer/{id}', { params: { path: { id: Number(id) } } }))
  const [hostname = name] = name.split('.')
  const list = pagesOf<Computer>((page) =>
    client.POST('/api/computer/search', { params: { query: { top: 1_000, ...page } }, body: { hostname } }),
  )
  const { found, similar } = await searchList(
    list,
    (one) => isSameName(one.hostname, name) || isSameName(fullName(one), name),
    (one) => one.hostname,
  )
  return chooseOne(
    found,
    'computer',
    name,
    (one) => `${fullName(one)}  (#${one.id}, ${one.serialNumber ?? 'no serial number'})`,
    () => similar,
  )
}

/** Finds several computers. The error names all that are missing or ambiguous. */
export async function findComputers(client: MusterClient, names: readonly string[]): Promise<Computer[]> {
  const results = await Promise.allSettled(names.map((name) => findComputer(client, name)))
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []))
  const other = failures.find((failure) => !(failure instanceof UsageError))
  if (other) throw other
  if (failures.length > 0) throw new UsageError(failures.flatMap(({ message }) => message.split('\n')))
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}
