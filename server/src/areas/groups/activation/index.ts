import type { AnyOperation } from '../../../platform/operation.ts'
import { activateGroup } from './activate-group.ts'
import { deactivateGroup } from './deactivate-group.ts'

export const groupActivation: readonly AnyOperation[] = [activateGroup, deactivateGroup]
