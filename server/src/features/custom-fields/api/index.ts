import type { AnyOperation } from '../../../platform/operation.ts'
import { listCustomFields } from './list-custom-fields.ts'
import { updateCustomField } from './update-custom-field.ts'

export const customFieldsApi: readonly AnyOperation[] = [listCustomFields, updateCustomField]
