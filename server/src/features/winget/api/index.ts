import type { AnyOperation } from '../../../platform/operation.ts'
import { convertWingetManifest } from './convert-winget-manifest.ts'
import { getWingetPackage } from './get-winget-package.ts'
import { searchWingetPackages } from './search-winget-packages.ts'

export const wingetApi: readonly AnyOperation[] = [searchWingetPackages, getWingetPackage, convertWingetManifest]
