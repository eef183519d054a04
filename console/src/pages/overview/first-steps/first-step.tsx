import { ThemeIcon, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconCheck, IconCircleDashed } from '../../../components/icons.ts'
import { useFirstStepsTexts } from '../../../texts/first-steps-texts.ts'
import classes from '../overview.module.css'

export type FirstStepProps = { id: string; title: string; isDone: boolean; body: ReactNode }

export function FirstStep({ id, title, isDone, body }: FirstStepProps) {
  const firstSteps = useFirstStepsTexts()
  const Icon = isDone ? IconCheck : IconCircleDashed
  return (
    <li className={classes.step} data-done={isDone} data-step={id}>
      <ThemeIcon variant="light" color={isDone ? 'green' : 'gray'} size="sm" radius="xl">
        <Icon size={14} aria-hidden />
      </ThemeIcon>
      <div className={classes.stepTitle}>
        {title}
        <VisuallyHidden>{isDone ? firstSteps.done : firstSteps.open}</VisuallyHidden>
      </div>
      {!isDone && <div className={classes.stepBody}>{body}</div>}
    </li>
  )
}
