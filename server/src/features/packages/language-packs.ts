import type { Database } from '../../database/connect.ts'
import { imageColumns } from './manifest-texts.ts'
import { packagesOfKind } from './package-rows.ts'
import { languagePackNotFound } from './problems.ts'

/** Language packs, as the API shows them. */
export function languagePackRows(db: Database) {
  return packagesOfKind(db, 'LanguagePack').select(imageColumns)
}

export async function getLanguagePackById(db: Database, id: string) {
  const found = await languagePackRows(db).where('packages.id', '=', id).executeTakeFirst()
  if (!found) throw languagePackNotFound({ packageId: id })
  return found
}
