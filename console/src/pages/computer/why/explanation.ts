import type { Schemas } from '../../../api/client.ts'

export type Explanation = Schemas['ComputerExplanation']
