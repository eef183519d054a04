import type { components, MusterClient } from '@muster/client'
import { chooseOne, ifSimilar, isSameName, searchList } from './choose.ts'

export type Report = components['schemas']['Report']
export type Licence = components['schemas']['Licence']

type Named = { id: string; name: string }

async function findNamed<Item extends Named>(list: AsyncIterable<Item>, kind: string, name: string): Promise<Item> {
  const { found, similar } = await searchList(
    list,
    (one) => isSameName(one.name, name) || one.id === name,
    (one) => ifSimilar(name, one.name),
  )
  return chooseOne(
    found,
    kind,
    name,
    (one) => `${one.id}  ${one.name}`,
    () => similar,
  )
}

/** Finds a report by its name or id. */
export const findReport = (client: MusterClient, name: string): Promise<Report> =>
  findNamed(client.pages('/api/reports', { query: { top: 1_000 } }), 'report', name)

/** Finds a licence by its name or id. */
export const findLicence = (client: MusterClient, name: string): Promise<Licence> =>
  findNamed(client.pages('/api/licences', { query: { top: 1_000 } }), 'licence', name)
