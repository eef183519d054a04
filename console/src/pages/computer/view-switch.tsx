import { SegmentedControl } from '@mantine/core'
import classes from './view-switch.module.css'

type ViewSwitchProps = {
  label: string
  value: string
  options: readonly { value: string; label: string }[]
  onChange: (value: string) => void
}

/** Switches between views of a tab. On a phone its options take several lines. */
export function ViewSwitch({ label, value, options, onChange }: ViewSwitchProps) {
  return (
    <SegmentedControl
      className={classes.switch}
      aria-label={label}
      value={value}
      onChange={onChange}
      data={[...options]}
    />
  )
}
