import classes from './why.module.css'

/** What a command wrote. Long output can be scrolled, including with the keyboard. */
export function Output({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className={classes.output} tabIndex={0} aria-label={label}>
      {text}
    </section>
  )
}
