import { Button, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Section } from '../../../components/section.tsx'
import { discardEnrolment } from '../../../shell/kept-enrolment.ts'
import { useFirstStepsTexts } from '../../../texts/first-steps-texts.ts'
import classes from '../overview.module.css'
import type { Steps } from '../use-overview.ts'
import { FirstStep } from './first-step.tsx'
import { useStepList } from './step-list.tsx'

const hiddenKey = 'muster.first-steps-hidden'

/** What a new installation should do. The steps tick themselves off. */
export function FirstSteps({ steps, canHide = false }: { steps: Steps; canHide?: boolean }) {
  const firstSteps = useFirstStepsTexts()
  const [isHidden, setIsHidden] = useState(() => localStorage.getItem(hiddenKey) === 'true')
  const { hasComputer } = steps
  useEffect(() => {
    if (hasComputer) discardEnrolment()
  }, [hasComputer])
  const list = useStepList(steps)
  const done = list.filter(({ isDone }) => isDone).length
  if (canHide && (isHidden || done === list.length)) return null
  const hideForGood = () => {
    localStorage.setItem(hiddenKey, 'true')
    setIsHidden(true)
  }
  const hide = (
    <Button variant="subtle" size="compact-sm" onClick={hideForGood}>
      {firstSteps.hide}
    </Button>
  )
  return (
    <Section title={firstSteps.title} actions={canHide && hide}>
      <Text size="sm" c="dimmed" role="status">
        {firstSteps.progress(done, list.length)}
      </Text>
      <ol className={classes.steps}>
        {list.map((step) => (
          <FirstStep key={step.id} {...step} />
        ))}
      </ol>
    </Section>
  )
}
