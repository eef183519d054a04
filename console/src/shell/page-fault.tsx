import { Center } from '@mantine/core'
import { useRouteError } from 'react-router'
import { unreachable } from '../api/problem.ts'
import { ProblemView } from '../components/problem-view.tsx'

/** Each browser, and the loader of styles, says in its own words that a part of the pages could not be loaded. */
function isMissingFile(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|module script|preload css/i.test(error.message)
}

/** Shown in place of a page that failed, also when its files are gone because a newer version was installed. */
export function PageFault() {
  const error = useRouteError()
  return (
    <Center mih="60vh" p="md">
      <ProblemView error={isMissingFile(error) ? unreachable() : error} onRetry={() => location.reload()} />
    </Center>
  )
}
