import type { ReactNode } from 'react'
import classes from './figures.module.css'

type FiguresProps = {
  children: ReactNode
  /** For words, which would shout in the size of numbers. */
  isSmall?: boolean
}

/** The headline numbers of a page, beside each other. */
export function Figures({ children, isSmall = false }: FiguresProps) {
  return (
    <dl className={classes.figures} data-small={isSmall}>
      {children}
    </dl>
  )
}

type FigureProps = {
  name: string
  children: ReactNode
  /** Whether the number is bad news. */
  isBad?: boolean
  /** What the number counts. */
  hint?: string
}

export function Figure({ name, children, isBad = false, hint }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd data-bad={isBad}>{children}</dd>
      {hint && <dd className={classes.hint}>{hint}</dd>}
    </div>
  )
}
