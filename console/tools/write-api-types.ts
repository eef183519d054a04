import { writeFile } from 'node:fs/promises'
import { apiTypes, typesFile } from './api-types.ts'

await writeFile(typesFile, await apiTypes())
console.log('The types of the API were written for the pages.')
