import type { AnyOperation } from '../../../platform/operation.ts'

export const computerVariables: readonly AnyOperation[] = []
