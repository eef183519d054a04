import { lstatSync, readdirSync } from 'node:fs'
import { ExpectedError } from '../../expected-error.ts'
import { dataFolderPath } from './data-folder-path.ts'
import { findReasonAgainstFolder, isOpenToOthers } from './folder-owner.ts'
import { ownAccount, ownerOf, permissionsOf } from './win32/security.ts'

/** Whether a folder is the data folder or in it. */
export function isOfService(folder: string): boolean {
  return `${folder.toLowerCase()}\\`.startsWith(`${dataFolderPath().toLowerCase()}\\`)
}

/** Refuses a folder in which others have created something, or could have. */
export function requireOwnFolder(folder: string): void {
  const isFolder = lstatSync(folder).isDirectory()
  const found = { isFolder, owner: ownerOf(folder), ownAccount: ownAccount(), hasForeignContent: false }
  if (isFolder && isOfService(folder) && isOpenToOthers(permissionsOf(folder), found.ownAccount))
    found.hasForeignContent = readdirSync(folder).length > 0
  const reason = findReasonAgainstFolder(folder, found)
  if (reason) throw new ExpectedError(reason)
}

/** The same for a folder that need not exist. Returns whether it does. */
export function requireOwnFolderIfPresent(folder: string): boolean {
  if (!lstatSync(folder, { throwIfNoEntry: false })) return false
  requireOwnFolder(folder)
  return true
}
