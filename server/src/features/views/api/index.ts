import type { AnyOperation } from '../../../platform/operation.ts'
import { createView } from './create-view.ts'
import { deleteView } from './delete-view.ts'
import { getView } from './get-view.ts'
import { listViews } from './list-views.ts'
import { updateView } from './update-view.ts'

export const viewsApi: readonly AnyOperation[] = [listViews, createView, getView, updateView, deleteView]
