-- | A tree of threads, ten children each; a leaf reports its number, the others a sum.
module Skynet (skynet) where

import Control.Concurrent (forkIO)
import Control.Concurrent.MVar (MVar, newEmptyMVar, putMVar, takeMVar)
import Control.Exception (throwIO)
import Control.Monad (foldM, forM_, unless)

import Measure

node :: MVar Int -> Int -> Int -> IO ()
node parent number 1 = putMVar parent number
node parent number leaves = do
  let each = leaves `div` 10
  reports <- newEmptyMVar
  forM_ [0 .. 9] $ \i -> forkIO (node reports (number + i * each) each)
  total <- foldM (\total _ -> (total +) <$> takeMVar reports) 0 [0 .. 9 :: Int]
  putMVar parent $! total

runSkynet :: Int -> IO Int
runSkynet leaves = do
  start <- now
  result <- newEmptyMVar
  _ <- forkIO (node result 0 leaves)
  total <- takeMVar result
  end <- now
  ensure "the sum of the leaves" total (leaves * (leaves - 1) `div` 2)
  pure (end - start)

skynet :: Args -> IO Metrics
skynet args = do
  leaves <- count "leaves" 1000000 args
  unless (leaves `elem` takeWhile (<= leaves) (iterate (* 10) 1)) $
    throwIO (BadArgument ("leaves=" ++ show leaves ++ " is not a power of ten"))
  (cold, warm) <- repeatedly (runSkynet leaves)
  pure
    [ ("ms", warm / 1e6)
    , ("ms_cold", cold / 1e6)
    , ("sum", fromIntegral (leaves * (leaves - 1) `div` 2))
    ]
