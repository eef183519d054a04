import type { AnyOperation } from '../../../platform/operation.ts'

export const groupVariables: readonly AnyOperation[] = []
