import type { AnyOperation } from '../../../platform/operation.ts'
import { explainComputer } from './explain-computer.ts'
import { explainGroup } from './explain-group.ts'
import { listComputerPatchCompliance } from './list-computer-patch-compliance.ts'

export const explainApi: readonly AnyOperation[] = [explainComputer, explainGroup, listComputerPatchCompliance]
