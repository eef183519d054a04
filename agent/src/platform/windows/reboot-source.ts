import { type RebootFacts, rebootSourceOf } from './reboot-source-of.ts'
import { listKeys, readValue } from './registry.ts'

const registryFacts: RebootFacts = {
  hasKey: (key) => listKeys('HKLM', key, 64) !== undefined,
  value: (key, name) => readValue('HKLM', key, name, 64),
}

export const findRebootSource = async () => rebootSourceOf(registryFacts)
