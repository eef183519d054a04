import type { ReactNode } from 'react'
import classes from './why.module.css'

/** A part of an explanation with its small heading. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className={classes.heading}>{title}</h2>
      {children}
    </section>
  )
}
