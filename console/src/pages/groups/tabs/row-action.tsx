import { Button } from '@mantine/core'

type RowActionProps = {
  text: string
  /** The action with what it is about, for screen readers. */
  label: string
  removes?: boolean
  onClick: () => void
}

/** An action in a row of a table. */
export function RowAction({ text, label, removes = false, onClick }: RowActionProps) {
  return (
    <Button size="compact-sm" variant="subtle" {...(removes && { color: 'red' })} aria-label={label} onClick={onClick}>
      {text}
    </Button>
  )
}
