import { createContext, use } from 'react'
import type { Forest } from './forest.ts'

/** The trees that the page has loaded, for everything that names or offers groups. */
export const ForestContext = createContext<Forest | undefined>(undefined)

export const useForest = () => use(ForestContext)
