-- | The smallest program: one thread answers one question.
module Startup (startup) where

import Control.Concurrent (forkIO)
import Control.Concurrent.MVar (newEmptyMVar, putMVar, takeMVar)

import Measure

startup :: Args -> IO Metrics
startup _ = do
  questions <- newEmptyMVar
  answers <- newEmptyMVar
  _ <- forkIO (takeMVar questions >>= putMVar answers . (+ 1))
  putMVar questions 41
  answer <- takeMVar answers
  ensure "the answer" answer 42
  pure [("answers", 1)]
