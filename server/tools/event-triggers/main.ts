import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { eventTriggersFile, generateEventTriggers } from './event-triggers.ts'

await mkdir(dirname(eventTriggersFile), { recursive: true })
await writeFile(eventTriggersFile, generateEventTriggers())
console.log('The triggers of the events were written.')
