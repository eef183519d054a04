import { setup as bundleAgent } from '../agent/test/agent-bundle.ts'
import { setup as buildPages } from '../console/test/built-pages.ts'
import { setup as bundleService } from '../server/test/world/service-bundle.ts'

// Vitest would do this before the tests as well, but one after the other, with half of the processors idle.
await Promise.all([bundleService(), buildPages(), bundleAgent()])
