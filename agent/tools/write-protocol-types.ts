import { writeFile } from 'node:fs/promises'
import { protocolTypes, typesFile } from './protocol-types.ts'

await writeFile(typesFile, await protocolTypes())
console.log('The types of the agent channel were written.')
