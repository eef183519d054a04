import { findPackageJSON } from 'node:module'
import { generateEventTriggers } from '../../server/tools/event-triggers/event-triggers.ts'
import { generateEffectiveVariable, generateRequiredPackages } from '../../server/tools/rule-functions.ts'
import { agentTypes } from './agent-types.ts'
import { answerSchemas } from './answer-schemas.ts'
import { apiExamples } from './api-examples.ts'
import { clientTypes } from './client-types.ts'
import { referencePages } from './reference-pages.ts'

/** Everything that follows from the declarations of the service, by its path in the repository. */
export async function generatedFiles(): Promise<Record<string, string>> {
  return {
    ...Object.fromEntries(Object.entries(referencePages()).map(([name, text]) => [`docs/reference/${name}`, text])),
    'cli/src/api/answer-schemas.json': answerSchemas(),
    'console/test/api-examples.json': apiExamples(),
    'server/migrations/repeatable/effective_variable.sql': generateEffectiveVariable(),
    'server/migrations/repeatable/required_packages.sql': generateRequiredPackages(),
    'server/migrations/repeatable/event_triggers.sql': generateEventTriggers(),
    ...(isInstalled('openapi-typescript') && (await typeFiles())),
  }
}

const clientTypesFile = 'client/src/types.ts'
const agentTypesFile = 'packages/agent-protocol/src/types.ts'

/** No program needs types to run, so an installation without development dependencies goes without them. */
async function typeFiles(): Promise<Record<string, string>> {
  return {
    [clientTypesFile]: await clientTypes(clientTypesFile),
    [agentTypesFile]: await agentTypes(agentTypesFile),
  }
}

function isInstalled(name: string): boolean {
  try {
    return findPackageJSON(name, import.meta.url) !== undefined
  } catch {
    return false
  }
}
