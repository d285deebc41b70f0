// The targets that alerts may be sent to.
import { httpUrl, list, word } from './parsers.js';
import type { Setting } from './setting.js';

export const ALERTS_SETTINGS = [
  {
    name: 'alertHosts',
    flag: 'alert-hosts',
    env: 'ALERT_HOSTS',
    default: '',
    description:
      'hosts of private networks (host or host:port, separated by commas) to which alerts may be sent; * is any; default: none',
    repeatable: true,
    parse: list(/^[^\s/@]*$/, 'hosts, as host or host:port, with commas between'),
  },
  {
    name: 'telegramApiUrl',
    env: 'TELEGRAM_API_URL',
    default: 'https://api.telegram.org',
    description: 'base URL to which alerts for Telegram are sent',
    parse: httpUrl,
  },
  {
    name: 'telegramBotToken',
    env: 'TELEGRAM_BOT_TOKEN',
    description: 'token of the bot that sends them; without it there are no alerts for Telegram',
    parse: word('the token of a bot'),
  },
] as const satisfies readonly Setting[];
