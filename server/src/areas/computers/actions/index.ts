import type { AnyOperation } from '../../../platform/operation.ts'
import { activateComputer } from './activate-computer.ts'
import { deactivateComputer } from './deactivate-computer.ts'
import { uninstallSoftware } from './uninstall-software.ts'

export const computerActions: readonly AnyOperation[] = [activateComputer, deactivateComputer, uninstallSoftware]
