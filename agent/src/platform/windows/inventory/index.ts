import type { Platform } from '../../platform.ts'
import { windowsSections } from './sections.ts'
import { openAccess } from './windows-access.ts'

export const inventory: Platform['inventory'] = (record) => windowsSections(openAccess(), record)
