import type { MusterClient } from '@muster/client'
import { findComputer } from './computers.ts'
import { findGroup } from './groups.ts'
import { findPackage } from './packages.ts'

const kinds: Record<string, (client: MusterClient, name: string) => Promise<{ id: number | string }>> = {
  computer: findComputer,
  group: findGroup,
  package: findPackage,
}

/** The id of `computer:NAME`, `group:PATH` or `package:NAME`. Any other text stays as it is. */
export async function resolveName(client: MusterClient, text: string): Promise<string> {
  const [, kind = '', name = ''] = /^(\w+):(.+)$/s.exec(text) ?? []
  const find = kinds[kind]
  return find ? String((await find(client, name)).id) : text
}
