import { closed, text } from '../../platform/schema.ts'

export const TokenPath = closed({
  token: text(255, 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxNyJ9.c2lnbmF0dXJl', 'Token from the boot script'),
})
