-- | Arguments, the watch, and what a program says when something is wrong.
module Measure
  ( Args
  , Metrics
  , Problem (..)
  , Gathering
  , arrive
  , complete
  , count
  , ensure
  , gathering
  , median
  , now
  , pair
  , render
  , repeatedly
  , resident
  ) where

import Control.Concurrent.MVar (MVar, newEmptyMVar, putMVar, takeMVar)
import Control.Exception (Exception, IOException, evaluate, throwIO, try)
import Control.Monad (when)
import Data.Char (isDigit)
import Data.IORef (IORef, atomicModifyIORef', newIORef)
import Data.List (intercalate, sort)
import qualified Data.Map.Strict as Map
import GHC.Clock (getMonotonicTimeNSec)

type Args = Map.Map String String

type Metrics = [(String, Double)]

data Problem
  = BadArgument String
  | WrongResult String
  deriving (Show)

instance Exception Problem

-- | An argument, @name=value@.
pair :: String -> IO (String, String)
pair word = case break (== '=') word of
  (name, '=' : value) -> pure (name, value)
  _ -> throwIO (BadArgument (show word ++ " is not of the form name=value"))

-- | A whole number of at least 1, with or without the @ms@ of a duration.
count :: String -> Int -> Args -> IO Int
count name preset args = case Map.lookup name args of
  Nothing -> pure preset
  Just text -> case span isDigit text of
    (digits@(_ : _), rest) | rest `elem` ["", "ms"], read digits >= (1 :: Int) -> pure (read digits)
    _ ->
      throwIO (BadArgument (name ++ "=" ++ text ++ " is not a whole number of at least 1"))

ensure :: String -> Int -> Int -> IO ()
ensure what actual expected =
  when (actual /= expected) $
    throwIO (WrongResult (what ++ ": " ++ show actual ++ " instead of " ++ show expected))

-- | Nanoseconds that never run backwards.
now :: IO Int
now = fromIntegral <$> getMonotonicTimeNSec

median :: [Int] -> Double
median values = fromIntegral (sort values !! (length values `div` 2))

-- | Runs once, then at least three times and for at least three seconds; gives the first time and
-- the median of the others, in nanoseconds.
repeatedly :: IO Int -> IO (Double, Double)
repeatedly run = do
  cold <- run
  begin <- now
  let more times = do
        time <- now
        if length times >= 3 && time - begin >= 3000000000
          then pure times
          else run >>= more . (: times)
  warm <- more []
  pure (fromIntegral cold, median warm)

-- | The metrics as a JSON object.
render :: Metrics -> String
render metrics = "{" ++ intercalate "," [show name ++ ":" ++ number value | (name, value) <- metrics] ++ "}"
  where
    number value
      | value == fromIntegral whole = show whole
      | otherwise = show value
      where
        whole = round value :: Int

-- | The bytes that this process has resident; 0 where nobody tells.
resident :: IO Int
resident = do
  status <- try (readFile "/proc/self/status") :: IO (Either IOException String)
  evaluate $ case status of -- now, since a file is read when its text is looked at
    Right text | kb : _ <- [words line !! 1 | line <- lines text, take 6 line == "VmRSS:"] ->
      read kb * 1024
    _ -> 0

-- | Tells when as many have arrived as were expected.
data Gathering = Gathering (IORef Int) (MVar ())

gathering :: Int -> IO Gathering
gathering n = Gathering <$> newIORef n <*> newEmptyMVar

arrive :: Gathering -> IO ()
arrive (Gathering missing done) = do
  left <- atomicModifyIORef' missing (\n -> (n - 1, n - 1))
  when (left == 0) (putMVar done ())

-- | Waits until all have arrived.
complete :: Gathering -> IO ()
complete (Gathering _ done) = takeMVar done
