import { readFile, writeFile } from 'node:fs/promises'
import { apiTypes, typesFile } from './api-types.ts'

// Written only if it differs, so that the type check of an unchanged API has nothing to do.
const types = await apiTypes()
if (types !== (await readFile(typesFile, 'utf8').catch(() => ''))) await writeFile(typesFile, types)
