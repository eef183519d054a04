import type { AnyOperation } from '../../../platform/operation.ts'
import { listPreDownloads } from './list-pre-downloads.ts'

export const preDownloadsApi: readonly AnyOperation[] = [listPreDownloads]
